package org.saevhadoop.format.samediff.dataset;

import org.saevhadoop.format.io.Folder;

/**
 * The file from which a container was staged.
 *
 * @param folder the folder that contains the file
 * @param file the name of the file
 */
public record StagedSource(Folder folder, String file) {}
