/**
 * The one seam between the formats and storage: a {@link org.saevhadoop.format.io.Folder} of files
 * that can be read at a position ({@link org.saevhadoop.format.io.Input}) or appended to ({@link
 * org.saevhadoop.format.io.Output}). Local files are implemented here; HDFS and object stores in
 * the mapreduce module. {@link org.saevhadoop.format.io.FormatException} is what every reader
 * throws for bad data.
 */
package org.saevhadoop.format.io;
