/**
 * Publication of a dataset at its path, so that neither a second run nor a killed run nor a power
 * failure can damage an existing dataset. Start with {@link
 * org.saevhadoop.format.publish.DatasetPublication}.
 *
 * <p>A run works in its own folder, next to the path ({@link org.saevhadoop.format.publish.run}).
 * {@link org.saevhadoop.format.publish.run.TaskFiles} moves the files of each committed task to the
 * subfolder {@code data}; the {@link org.saevhadoop.format.publish.CompleteMark} lists the files of
 * the dataset, which is checked against the list before publication.
 *
 * <p>Publication is a rename that fails if the path exists. {@link
 * org.saevhadoop.format.publish.ReplaceableDataset} decides what may be replaced, {@link
 * org.saevhadoop.format.publish.SourceOverlap} whether the destination shares files with a source,
 * and {@link org.saevhadoop.format.publish.DestinationProbe} whether the storage would let the
 * dataset be moved to its path.
 *
 * <p>docs/object-stores.md describes publication on a storage without folders, where a rename
 * copies: the files of the dataset appear at the path one by one, under a marker.
 */
@Internal
@NullMarked
package org.saevhadoop.format.publish;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
