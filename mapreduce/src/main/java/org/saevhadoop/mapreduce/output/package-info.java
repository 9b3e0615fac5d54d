/**
 * Output formats, record writers and job commit. The class to begin with is {@link
 * org.saevhadoop.mapreduce.output.ActivationOutputFormat}, the base of the output formats in {@code
 * org.saevhadoop.mapreduce}.
 *
 * <h2>Records</h2>
 *
 * <p>Records are blocks or whole examples (layer {@code ALL}), with all tokens; vectors cannot be
 * written.
 *
 * <ul>
 *   <li>A task must write whole files: records must be partitioned by {@code example /
 *       examplesPerShard}, where the divisor is the number that {@link
 *       org.saevhadoop.mapreduce.output.ActivationOutputFormat#examplesPerShard} returns.
 *   <li>A task must write one file after another and must not return to a file.
 *   <li>Within a file, blocks must be in file order: by example for SAEV and for the column {@code
 *       acts}, by layer for {@code layers} and for SameDiff. {@code saev.output.spool=true} accepts
 *       any order and spools blocks on the local disk; {@code auto}, the default, does so if
 *       records are whole examples and the file is ordered by layer; {@code false} never does.
 *   <li>A task fails if a block is missing, is written twice, has the wrong size, or does not
 *       belong to the dataset.
 * </ul>
 *
 * <p>Records have no labels. If a dataset has labels for the examples that are written, {@link
 * org.saevhadoop.mapreduce.output.ActivationOutputFormat#setLabels} names it, and the labels are
 * copied: into the {@code labels} tensor of each safetensors file and the {@code labels} arrays of
 * SameDiff when the task finishes the file, and into labels.bin when the job commits.
 *
 * <h2>Commit</h2>
 *
 * <p>{@link org.saevhadoop.mapreduce.output.DatasetCommitter} wraps another committer, and {@link
 * org.saevhadoop.mapreduce.output.DatasetCompletion} makes the committed files a dataset;
 * docs/architecture.md describes both. If {@code saev.output.publish} is set, the output directory
 * is then moved to the path that it specifies ({@link org.saevhadoop.format.publish}); the output
 * directory is deleted if the job fails. Without this key, files appear in the output directory
 * while the job commits, and the document that makes them a dataset appears last.
 *
 * <p>An application master that exits calls {@code abortJob}, even if its job has succeeded; {@link
 * org.saevhadoop.mapreduce.output.AbortGuard} states when an abort must do nothing.
 */
@NullMarked
package org.saevhadoop.mapreduce.output;

import org.jspecify.annotations.NullMarked;
