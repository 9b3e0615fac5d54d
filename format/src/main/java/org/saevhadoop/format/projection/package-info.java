/**
 * Projection: a subset of a dataset as a dataset.
 *
 * <p>The entry point is {@link org.saevhadoop.format.projection.ProjectionRequest}, the request of
 * a user that is independent of any data: {@link org.saevhadoop.format.projection.LayerRequest
 * layers} by number, {@link org.saevhadoop.format.projection.IndexPieces examples} as indexes and
 * ranges, {@link org.saevhadoop.format.projection.TokenRequest tokens} by name or as ranges.
 * Resolved against a dataset, it becomes a {@link org.saevhadoop.format.projection.Projection}:
 * columns, ranges of examples and ranges of tokens that exist in the dataset.
 *
 * <p>{@link org.saevhadoop.format.projection.Projection#of} returns the resulting dataset. It is a
 * {@link org.saevhadoop.format.dataset.TableDataset} over the same files. Its columns are the
 * selected ones in the selected order, its examples are renumbered from 0, and its shards are the
 * selected ranges of the stored shards in the selected order. Cursors, splits, digests, jobs and
 * readers therefore need no knowledge of projections, and only selected bytes are read. Labels and
 * sample metadata are projected in the same way. {@code sourceExample} and {@code sourceToken}
 * return the stored numbers for keys and messages.
 *
 * <p>Rules: pieces follow Python slices without a step. Bounds of ranges are clamped; an index out
 * of range, an empty piece and two overlapping pieces are errors. Examples and layers keep the
 * selected order; tokens must ascend. Token 0 of the projection is [CLS] if and only if token 0 of
 * the source is [CLS] and is selected. The rules are specified in docs/projection.md.
 */
@NullMarked
package org.saevhadoop.format.projection;

import org.jspecify.annotations.NullMarked;
