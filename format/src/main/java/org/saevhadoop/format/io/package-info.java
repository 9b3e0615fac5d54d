/**
 * The one seam between the formats and storage: a {@link org.saevhadoop.format.io.Folder} of files
 * that can be read at a position ({@link org.saevhadoop.format.io.Input}) or appended to ({@link
 * org.saevhadoop.format.io.Output}). Local files are implemented here; HDFS and object stores in
 * the mapreduce module. {@link org.saevhadoop.format.io.FormatException} is what every reader
 * throws for bad data; {@link org.saevhadoop.format.io.Quote} sanitizes what messages and listings
 * quote of it. {@link org.saevhadoop.format.io.LocalSpool} is the temporary file for data whose
 * place or order is known only later.
 */
package org.saevhadoop.format.io;
