/**
 * Files that are read from their staged entries: inflated entries of ZIP archives, row groups of
 * Parquet files, and record batches of Arrow files.
 *
 * <p>An {@link org.saevhadoop.format.spi.EntryStream} stages entries part by part, and writes an
 * {@link org.saevhadoop.format.entries.EntryDocument} when all parts are complete. The document
 * opens the folder of the dataset as an {@link org.saevhadoop.format.entries.EntryFolder}, in which
 * each file has the staged content under its own name, so that readers do not have to know about
 * staging. The {@link org.saevhadoop.format.entries.EntryContent} of a format defines the entries
 * and the files to which they belong.
 *
 * <p>Guarantees: files without staged entries are read from the dataset. The documents of up to 64
 * parts remain in memory, and a folder is thread-safe.
 */
@Internal
@NullMarked
package org.saevhadoop.format.entries;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
