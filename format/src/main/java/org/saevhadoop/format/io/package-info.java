/**
 * The interface between the formats and the storage.
 *
 * <p>The entry point is {@link org.saevhadoop.format.io.Storage}, which resolves a path to a {@link
 * org.saevhadoop.format.io.Location}: a {@link org.saevhadoop.format.io.Folder} or one file of it.
 * A folder opens files that can be read at any position ({@link org.saevhadoop.format.io.Input})
 * and creates files ({@link org.saevhadoop.format.io.Output}). Files that can only be read
 * sequentially, such as gzip files, are represented by a {@link
 * org.saevhadoop.format.io.ByteSource}. Formats access storage only through these interfaces.
 *
 * <p>This package implements them for local files ({@link org.saevhadoop.format.io.LocalFolder});
 * the module {@code mapreduce} implements them for HDFS and object stores.
 *
 * <p>All readers throw {@link org.saevhadoop.format.io.FormatException} for invalid data, created
 * by an {@link org.saevhadoop.format.io.ErrorKind} of their format, and {@link java.io.IOException}
 * for failures of the storage. {@link org.saevhadoop.format.io.Quote} sanitizes untrusted text for
 * messages and listings. {@link org.saevhadoop.format.io.LocalSpool} is a temporary file for data
 * whose position or order is known only later. Buffers are passed on without intermediate copies.
 * Open files must be used by one thread at a time.
 */
@NullMarked
package org.saevhadoop.format.io;

import org.jspecify.annotations.NullMarked;
