/**
 * A part of a dataset as a dataset.
 *
 * <p>{@link org.saevhadoop.format.projection.ProjectionRequest} is what a user asks for, before any
 * data is seen: {@link org.saevhadoop.format.projection.LayerRequest layers} by name, {@link
 * org.saevhadoop.format.projection.IndexPieces examples} as indexes and ranges, {@link
 * org.saevhadoop.format.projection.TokenRequest tokens} as names or ranges. Resolved against a
 * dataset it becomes a {@link org.saevhadoop.format.projection.Projection}: columns, ranges of
 * examples and ranges of tokens that the dataset has.
 *
 * <p>{@link org.saevhadoop.format.projection.Projection#of} gives the dataset that is left. It is a
 * {@link org.saevhadoop.format.dataset.TableDataset} over the same files: its columns are those
 * that were selected, in the order selected; its examples count from 0; its shards are the
 * stretches of the stored shards that were selected, in the order selected. So cursors, splits,
 * digests, jobs and readers need not know that anything was selected, and only what was selected is
 * read. Labels and sample metadata are cut likewise. {@code sourceExample} and {@code sourceToken}
 * return the stored numbers, for keys and messages.
 *
 * <p>Rules: pieces are Python's, without a step. Ends of ranges clamp; an index out of range, a
 * piece that selects nothing and two pieces that overlap are errors. Examples and layers come in
 * the order selected; tokens ascend. Token 0 stays [CLS] exactly where it was [CLS] and is
 * selected.
 */
package org.saevhadoop.format.projection;
