/**
 * safetensors files as a dataset format. The class to begin with is {@link
 * org.saevhadoop.mapreduce.safetensors.SafetensorsFormat}; {@link
 * org.saevhadoop.mapreduce.safetensors.SafetensorsKeys} has the reading and the writing keys that
 * only this format has.
 *
 * <p>This package maps the format to settings, provenance and reports; headers, layouts and indexes
 * are read and written by {@code org.saevhadoop.format.safetensors}.
 *
 * <ul>
 *   <li>A location is a dataset (a folder with or without dataset_manifest.json, or one file) or a
 *       model (a folder with a model index, or the index). Models can be inspected and single
 *       tensors of them read, but they cannot be converted.
 *   <li>Columns that are not activations are a table. They are read and written like activations,
 *       without layers and tokens.
 *   <li>In the key-value layout an id may occur more than once only if the user requests that the
 *       last example wins. A survey before the job finds such ids, because no single task reads all
 *       of them.
 *   <li>An index of all tensors, _tensor_index.parquet, is written for the key-value layout unless
 *       the user declines it.
 * </ul>
 *
 * <p>docs/safetensors.md has the rules of the format and their sources.
 */
@NullMarked
package org.saevhadoop.mapreduce.safetensors;

import org.jspecify.annotations.NullMarked;
