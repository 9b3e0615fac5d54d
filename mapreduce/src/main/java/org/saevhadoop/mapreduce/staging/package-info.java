/**
 * Stages streams, so that their blocks can be read at any offset. A stream is a dataset whose files
 * can only be read sequentially, such as compressed pickles, and deflated SDZ and .npz files.
 *
 * <p>The class to begin with is {@link org.saevhadoop.mapreduce.staging.StreamStaging}. It runs a
 * job in which each task reads one part of the dataset, once, and writes its blocks to a folder;
 * then it joins the parts and returns the dataset. If examples are selected by number, a job that
 * catalogues all parts runs first, and only the parts that contain selected examples are read
 * again. {@link org.saevhadoop.mapreduce.input.DatasetInputFormat} reads the staged dataset in a
 * job.
 *
 * <p>A part is staged by {@code PartStaging}, in a thread of this process or in a Hadoop task.
 * Hadoop tasks write files through a committer ({@link
 * org.saevhadoop.mapreduce.staging.SideFiles}); in both cases, the files of a complete part are
 * renamed, so the files of a failed task never appear in the folder, and the record of a part,
 * which is renamed last, shows that all of its files are complete ({@link
 * org.saevhadoop.format.staged.StagedFolder}). The folder is temporary: its owner creates and
 * deletes it. In the folder of a run, files are forced to the disk.
 */
@Internal
@NullMarked
package org.saevhadoop.mapreduce.staging;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
