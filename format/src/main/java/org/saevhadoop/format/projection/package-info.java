/**
 * Projection: a subset of a dataset as a dataset. A user request, {@link
 * org.saevhadoop.format.projection.ProjectionRequest}, is independent of any data. Resolved against
 * a dataset, it becomes a {@link org.saevhadoop.format.projection.Projection}: columns, ranges of
 * examples and ranges of tokens that exist in the dataset.
 *
 * <p>The resulting dataset reads the same files. Its columns are the selected ones in the selected
 * order, its examples are renumbered from 0, and its shards are the selected ranges of the stored
 * shards in the selected order. Cursors, splits, digests, jobs and readers therefore need no
 * knowledge of projections, and only selected bytes are read. Labels and sample metadata are
 * projected in the same way. {@code sourceExample} and {@code sourceToken} return the stored
 * numbers for keys and messages.
 *
 * <p>Sources: docs/projection.md, which specifies the rules.
 */
@NullMarked
package org.saevhadoop.format.projection;

import org.jspecify.annotations.NullMarked;
