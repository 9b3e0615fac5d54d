/**
 * Datasets of safetensors files in the batch and the key-value layout of safetensors-spark.
 *
 * <p>For reading, start with {@link org.saevhadoop.format.safetensors.dataset.SafetensorsTable},
 * which opens examples with any columns; {@link
 * org.saevhadoop.format.safetensors.dataset.SafetensorsDataset} interprets its columns as
 * activations. For writing, start with {@link
 * org.saevhadoop.format.safetensors.dataset.BatchWritePlan} or {@link
 * org.saevhadoop.format.safetensors.dataset.KeyedWritePlan}. {@link
 * org.saevhadoop.format.safetensors.dataset.DatasetCheck} finds all problems of a dataset, and
 * {@link org.saevhadoop.format.safetensors.dataset.DuplicateKeyScan} finds duplicate ids.
 *
 * <p>The batch layout has one tensor {@code [n, ...]} per column and file; the key-value layout has
 * one tensor {@code <id><separator><column>} per example and column. Activations are columns {@code
 * layer_<l>} of {@code [token, dim]}, or one column {@code acts} of {@code [layer, token, dim]}, or
 * given by {@link org.saevhadoop.format.dataset.columns.TensorMapping}.
 *
 * <p>Guarantees: with a manifest, opening a dataset reads one header. Every file is checked against
 * the first one before its data is used. Equal write plans yield equal file names and equal
 * headers.
 *
 * <p>Sources: safetensors-spark for both layouts, the default separator, the treatment of the last
 * file and {@code dataset_manifest.json} (format version 1.0, {@code
 * dataset_manifest.schema.json}). Metadata keys with the prefix {@code saev.} are defined by this
 * project.
 */
@NullMarked
package org.saevhadoop.format.safetensors.dataset;

import org.jspecify.annotations.NullMarked;
