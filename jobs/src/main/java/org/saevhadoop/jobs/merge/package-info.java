/**
 * Merging of datasets: different examples of the same columns become one dataset, whose files are
 * copied if its format permits this.
 *
 * <p>{@link org.saevhadoop.jobs.merge.Merge} is the verb that programs call. {@code PreparedMerge}
 * lists all conflicts of the sources, and asks their format how the files become one dataset
 * ({@link org.saevhadoop.format.spi.FileMerge}). If files can be copied unchanged, {@code MergeRun}
 * copies them in the folder of a run, which a later command can continue, writes the documents and
 * publishes the dataset; otherwise the combined dataset is converted.
 *
 * <p>{@code CopyJob} is the map-only job that makes the copies. Its files are {@code CopiedFiles},
 * a value that tasks receive in their settings, and {@code CopyFiles} is a task that processes some
 * of these files, on YARN or in threads of this process. The job does not depend on formats: it
 * asks the format for the headers that replace the headers of the files. Files are not divided: a
 * task copies either several small files or one large file.
 */
@NullMarked
package org.saevhadoop.jobs.merge;

import org.jspecify.annotations.NullMarked;
