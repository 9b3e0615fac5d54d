/**
 * Merging of datasets: different examples of the same columns become one dataset, whose files are
 * copied if its format permits this.
 *
 * <p>{@link org.saevhadoop.jobs.merge.Merge} is the verb, as a program calls it. {@code
 * PreparedMerge} lists all conflicts of the sources, and asks their format how the files become one
 * dataset ({@link org.saevhadoop.format.spi.FileMerge}). If files can be copied unchanged, {@code
 * MergeRun} copies them in the folder of a run, which a later command can continue, writes the
 * documents and publishes the dataset; otherwise the combined dataset is converted.
 *
 * <p>{@code CopyJob} is the map-only job that makes the copies. Its files are {@code CopiedFiles},
 * a value that tasks get in their settings, and {@code CopyFiles} is a task over some of them, on
 * YARN or in threads of this process. The job does not depend on formats: it asks the format for
 * the headers that replace the headers of the files. No file is divided: a task copies small files
 * together, or a large one.
 */
@NullMarked
package org.saevhadoop.jobs.merge;

import org.jspecify.annotations.NullMarked;
