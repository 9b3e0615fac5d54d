/**
 * SAEV shards as a dataset format. Start with {@link org.saevhadoop.format.saev.SaevFormat}; {@link
 * org.saevhadoop.format.saev.SaevKeys} contains the writing keys.
 *
 * <p>This package maps the format to settings, provenance and reports; the files themselves are
 * read and written by {@link org.saevhadoop.format.saev.directory}.
 *
 * <ul>
 *   <li>The metadata.json of the source is a document of the provenance. A conversion from SAEV to
 *       another format and back restores it byte for byte, including the name of the folder, even
 *       if that name is not the hash of the metadata.
 *   <li>Part of a dataset gets its own metadata, which records the selection and the hash of the
 *       whole dataset.
 *   <li>A dataset without SAEV metadata can be written if settings or the source name the model
 *       (family and checkpoint).
 *   <li>Values are F32. A dataset is written to a subfolder named by its hash, for protocol 2.x
 *       below saev/shards, where saev's readers look for it.
 * </ul>
 *
 * <p>docs/saev.md lists the rules of the format and their sources.
 */
@Internal
@NullMarked
package org.saevhadoop.format.saev;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
