/**
 * Comparison of a dataset that was written with its source. The class to begin with is {@link
 * org.saevhadoop.jobs.check.ConversionCheck}, which {@code convert --verify} calls.
 *
 * <p>A check repeats the conversion with the same plan, sinks and finisher, but gives them a {@link
 * org.saevhadoop.jobs.check.ComparedFolder}: there, creating a file opens the file that was
 * written, and writing to it compares. Every byte of every file is therefore compared, headers,
 * padding, labels, sample metadata and documents included, in any format, and a format need not
 * know of it. A file is compressed again rather than decompressed, as only the former covers the
 * bytes of the compressed file itself.
 *
 * <p>The source is read once more, and the files that were written are read once. An error that a
 * writer repeats is not found in this way; the digest of the dataset, which its reader computes,
 * finds it.
 *
 * <p>The job runs without a shuffle. Each task compares whole files, and a difference is reported
 * with the example, the layer or column and the value to which it belongs.
 */
@NullMarked
package org.saevhadoop.jobs.check;

import org.jspecify.annotations.NullMarked;
