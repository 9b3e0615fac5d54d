/**
 * Input formats, splits and record readers. The classes to begin with are {@link
 * org.saevhadoop.mapreduce.input.ActivationInputFormat}, the base of input formats whose blocks can
 * be read at any offset, and {@link org.saevhadoop.mapreduce.input.StreamInputFormat}, the base of
 * input formats whose files can only be read sequentially. The input formats that users name are in
 * {@code org.saevhadoop.mapreduce}. docs/projection.md has the rules for reading a part of a
 * dataset.
 *
 * <ul>
 *   <li>{@code saev.input.order=layer} reads all examples of a group in one layer, then the next
 *       layer; {@code saev.input.group} is the size of a group, and splits begin at its multiples.
 *       Both are counted in selected examples.
 *   <li>Splits are ranges of examples of about one storage block, counted in bytes that are read,
 *       within {@code mapreduce.input.fileinputformat.split.minsize} and {@code .maxsize}. A split
 *       may contain several small files or a part of a large file. No values are read to plan
 *       splits.
 *   <li>Values are float32, even if a safetensors file or a SameDiff array stores another type that
 *       float32 holds exactly. {@code saev.input.dtype} requests another type; counters report the
 *       changes ({@link org.saevhadoop.mapreduce.input.ConversionCounter}).
 *   <li>Columns that are not activations ({@code SafetensorsInputFormat} and {@code
 *       SameDiffInputFormat} only) are read with {@code saev.input.record=block}: the value is the
 *       block of one example and column, in the column's type and shape, and the layer of the key
 *       is the index of the column.
 *   <li>In a stream, each part is a split and each array is a record: the example number of its key
 *       is the id of the sample, and its value has the shape of the array. Only layers can be
 *       selected.
 * </ul>
 */
@NullMarked
package org.saevhadoop.mapreduce.input;

import org.jspecify.annotations.NullMarked;
