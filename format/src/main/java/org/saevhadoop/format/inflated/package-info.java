/**
 * ZIP archives with compressed entries, which can be read at any position once their entries are
 * inflated.
 *
 * <p>Start with {@link org.saevhadoop.format.inflated.InflatedStream}: a format with such archives
 * extends it, names the archives, and opens the dataset in their folder. A part consists of several
 * archives, or of several entries of a large archive; its data is one file, and a document lists
 * the offset of the data of each entry. The archives then appear in their own folder, with stored
 * entries ({@link org.saevhadoop.format.zip.StoredZip}), so that readers do not have to know about
 * staging.
 *
 * <p>Guarantees: only entries that a format reads are inflated, each once, and their sizes and
 * CRC-32 values are checked. Entry names are never used as file names.
 */
@Internal
@NullMarked
package org.saevhadoop.format.inflated;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
