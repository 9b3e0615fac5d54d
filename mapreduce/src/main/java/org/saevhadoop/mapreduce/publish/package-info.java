/**
 * Publication of a dataset at its path, so that neither a second run, nor a killed one, nor a power
 * failure can damage what is there. Start with {@link
 * org.saevhadoop.mapreduce.publish.DatasetPublication}.
 *
 * <p>A run works in a folder of its own beside the path ({@link
 * org.saevhadoop.mapreduce.publish.run}). A {@link
 * org.saevhadoop.mapreduce.publish.RenamingCommitter} moves the files of each committed task to its
 * folder {@code data}; the {@link org.saevhadoop.mapreduce.publish.CompleteMark} lists the files of
 * the dataset, which is compared with the list before it is published.
 *
 * <p>Publication is a rename that fails if something is at the path. {@link
 * org.saevhadoop.mapreduce.publish.ReplaceableDataset} decides what may be replaced, {@link
 * org.saevhadoop.mapreduce.publish.SourceOverlap} whether the destination shares files with what is
 * read, and {@link org.saevhadoop.mapreduce.publish.DestinationProbe} whether the storage would let
 * the dataset be moved to its path.
 *
 * <p>docs/operations.md describes publication on a storage without folders, where a rename copies:
 * the dataset, or the files that replace those of another, appear at the path under a marker.
 */
@NullMarked
package org.saevhadoop.mapreduce.publish;

import org.jspecify.annotations.NullMarked;
