/**
 * Datasets of safetensors files in the batch and the key-value layout of safetensors-spark.
 *
 * <p>For reading, start with {@link org.saevhadoop.format.safetensors.dataset.SafetensorsTable},
 * which opens examples with any columns; {@link
 * org.saevhadoop.format.safetensors.dataset.SafetensorsDataset} interprets its columns as
 * activations. For writing, start with {@link
 * org.saevhadoop.format.safetensors.dataset.BatchWritePlan} or {@link
 * org.saevhadoop.format.safetensors.dataset.KeyedWritePlan}. {@link
 * org.saevhadoop.format.safetensors.dataset.DatasetCheck} checks the manifest and every header, and
 * continues after finding a problem; it does not read tensor data. {@link
 * org.saevhadoop.format.safetensors.dataset.DuplicateKeyScan} finds duplicate ids.
 *
 * <p>The batch layout has one tensor of shape {@code [n, ...]} per column and file; the key-value
 * layout has one tensor {@code <id><separator><column>} per example and column. The column follows
 * the last separator. Examples are in ascending order of ids if all ids are decimal numbers, and
 * otherwise in the order of the file. Activations are columns {@code layer_<l>} of shape {@code
 * [token, dim]}, or one column {@code acts} of shape {@code [layer, token, dim]}, or are defined by
 * an {@link org.saevhadoop.format.arrays.ArrayMapping}. docs/safetensors.md describes how the
 * layout is detected and states the source of each rule.
 *
 * <p>Guarantees: with a manifest ({@code dataset_manifest.json}), opening a dataset reads the
 * header of the first file, and of the last file if it is padded; without one, it reads all
 * headers. Every file is checked against the first one before its data is used. Equal write plans
 * yield equal file names and equal headers; names do not depend on ids or labels. A table holds no
 * open file and does not have to be closed; the caller closes any {@code Input} that it passes to a
 * table.
 *
 * <p>Sources: safetensors-spark for both layouts, the default separator, the treatment of the last
 * file and {@code dataset_manifest.json} (format version 1.0, {@code
 * dataset_manifest.schema.json}). Metadata keys with the prefix {@code saev.} are defined by this
 * project.
 *
 * <p>To add a layout, add a value to {@link
 * org.saevhadoop.format.safetensors.dataset.TensorLayout}, an implementation of {@code FileLayout}
 * and one of {@code TensorWritePlan}, and adapt {@code SafetensorsTable.layout} and all comparisons
 * with {@code BATCH} and {@code KV}, here, in {@code format.parquet.index} and in {@code
 * mapreduce.safetensors}.
 */
@Internal
@NullMarked
package org.saevhadoop.format.safetensors.dataset;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
