/**
 * Comparison of a dataset that was written with its source. The class to begin with is {@link
 * org.saevhadoop.jobs.check.ConversionCheck}, which {@code convert --verify} calls.
 *
 * <p>A check repeats the conversion with the same plan, sinks and finisher, but gives them a {@link
 * org.saevhadoop.jobs.check.ComparedFolder}: there, creating a file opens the file that was
 * written, and writing to it compares. Every byte of every file is therefore compared, in any
 * format, and a format needs no code for this. A file is compressed again rather than decompressed,
 * because only compression covers the bytes of the compressed file itself.
 *
 * <p>This check does not find an error that a writer repeats, or an error in temporary files. The
 * result of a shuffle, or of a stream, is therefore also read by the reader of its format, and its
 * rows are compared with its source by sums of hashes ({@link
 * org.saevhadoop.jobs.check.SummedRows}). For other datasets, the digest makes this comparison.
 */
@Internal
@NullMarked
package org.saevhadoop.jobs.check;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
