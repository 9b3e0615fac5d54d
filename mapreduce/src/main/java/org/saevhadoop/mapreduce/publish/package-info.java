/**
 * Publication of a dataset at its path, so that neither a second run, nor a killed one, nor a power
 * failure can damage what is there. The classes to begin with are {@link
 * org.saevhadoop.mapreduce.publish.RunFolder} and {@link
 * org.saevhadoop.mapreduce.publish.DatasetPublication}.
 *
 * <p>A run writes in a folder of its own beside the path, {@code _<name>.saev-hadoop}:
 *
 * <ul>
 *   <li>{@code run.json}, a {@link org.saevhadoop.mapreduce.publish.RunRecord}: the mark by which
 *       the folder is recognized, who runs, and the settings of the run
 *   <li>{@code lock}, locked, leased or renewed while the client lives ({@link
 *       org.saevhadoop.mapreduce.publish.RunLock})
 *   <li>{@code application_<n>.json}, one for each {@link
 *       org.saevhadoop.mapreduce.publish.SubmittedJob} on YARN, which may outlive the client
 *   <li>{@code work}, a folder for each attempt of a task, from which a {@link
 *       org.saevhadoop.mapreduce.publish.RenamingCommitter} moves files to {@code data}
 *   <li>{@code data}, the files of committed tasks, and finally the dataset
 *   <li>{@code complete}, a {@link org.saevhadoop.mapreduce.publish.CompleteMark}, from the time at
 *       which {@code data} is a whole dataset: it lists the files of the dataset, which is compared
 *       with the list before it is published
 *   <li>{@code replaced}, the old dataset, from the time at which it is moved away until the new
 *       one is at its path
 * </ul>
 *
 * <p>A second run to the same path finds the folder. While the lock is held, or an application has
 * not ended, the second run is refused; otherwise it puts a replaced dataset back, and removes the
 * remains or, if {@link org.saevhadoop.mapreduce.publish.Leftovers} say so, continues the dead run,
 * provided that {@link org.saevhadoop.mapreduce.publish.SourceState} and settings are the same.
 * Neither age nor process ids play a part. What belongs to another user is refused: {@link
 * org.saevhadoop.mapreduce.publish.LeftoverOwnership}. A folder of this name without the mark
 * belongs to another program and is never modified.
 *
 * <p>On a storage without folders, where a rename copies, the dataset is written at its path, under
 * a marker, and publication is the deletion of the marker: {@link
 * org.saevhadoop.mapreduce.publish.DirectOutput}. The folder of the run then contains no data. A
 * dataset that replaces another is written in the folder of the run; under such a marker, the files
 * of the older one are moved to {@code replaced}, which {@code replaced.json} lists, and those of
 * the new one to the path. The next run undoes that if this one dies.
 *
 * <p>Publication is otherwise a rename that fails if something is at the path. {@link
 * org.saevhadoop.mapreduce.publish.ReplaceableDataset} decides what may be replaced, {@link
 * org.saevhadoop.mapreduce.publish.SourceOverlap} whether the destination shares files with what is
 * read, and {@link org.saevhadoop.mapreduce.publish.DestinationProbe} whether the storage would let
 * the dataset be moved to its path.
 *
 * <p>{@link org.saevhadoop.mapreduce.publish.RunStorage} is what all of it needs of a storage. It
 * never follows symbolic links and never creates missing parent folders on its own.
 */
package org.saevhadoop.mapreduce.publish;
