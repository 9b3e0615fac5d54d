/**
 * Files that are read from the entries that were staged of them: inflated entries of ZIP archives,
 * row groups of Parquet files, record batches of Arrow files.
 *
 * <p>An {@link org.saevhadoop.format.spi.EntryStream} stages entries part by part, and writes an
 * {@link org.saevhadoop.format.entries.EntryDocument} when all parts are complete. The document
 * opens the folder of the dataset as an {@link org.saevhadoop.format.entries.EntryFolder}, in which
 * each file has the staged content under its own name, so that readers know nothing of staging.
 * What an entry is, and which file its content makes, is the format's {@link
 * org.saevhadoop.format.entries.EntryContent}.
 *
 * <p>Guarantees: files without staged entries are read from the dataset. The documents of up to 64
 * parts stay in memory, and threads may share a folder.
 */
@Internal
@NullMarked
package org.saevhadoop.format.entries;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
