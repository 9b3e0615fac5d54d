/**
 * ZIP archives with compressed entries, read at any position after their entries were inflated.
 *
 * <p>The class to begin with is {@link org.saevhadoop.format.inflated.InflatedStream}, which a
 * format extends that has such archives: it names them, and opens the dataset in their folder. A
 * part is some archives, or some entries of a large one; its data is one file, and a document lists
 * where the data of each entry begins. The archives then appear in their own folder, with stored
 * entries ({@link org.saevhadoop.format.zip.StoredZip}), so that readers know nothing of staging.
 *
 * <p>Guarantees: only entries that a format reads are inflated, each once, and their sizes and
 * CRC-32 are compared. Names of entries are never used as names of files.
 */
@Internal
@NullMarked
package org.saevhadoop.format.inflated;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
