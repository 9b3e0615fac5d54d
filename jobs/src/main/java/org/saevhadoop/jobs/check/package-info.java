/**
 * Comparison of a written dataset with its source. Start with {@link
 * org.saevhadoop.jobs.check.ConversionCheck}, which {@code convert --verify} calls.
 *
 * <p>A check repeats the conversion with the same plan, sinks and finisher, but gives them a {@link
 * org.saevhadoop.jobs.check.ComparedFolder}: there, creating a file opens the existing file, and
 * writing to it compares the bytes. Every byte of every file is therefore compared, in any format,
 * and a format needs no code for this. The data of a compressed file is compressed again instead of
 * the file being decompressed, because only compression covers the bytes of the compressed file
 * itself.
 *
 * <p>This check does not find an error that a writer repeats, or an error in temporary files. The
 * dataset that results from a shuffle or a stream is therefore also read by the reader of its
 * format, and its rows are compared with the source by sums of hashes ({@link
 * org.saevhadoop.jobs.check.SummedRows}). For other datasets, the digest serves as this comparison.
 */
@Internal
@NullMarked
package org.saevhadoop.jobs.check;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
