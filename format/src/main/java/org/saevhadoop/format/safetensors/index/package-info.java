/**
 * Indexes of tensors in several files. Start with {@link
 * org.saevhadoop.format.safetensors.index.KeyedTensors}, which fetches single tensors of a dataset
 * by key, or with {@link org.saevhadoop.format.safetensors.index.ModelIndex}, which reads the index
 * of a model; {@link org.saevhadoop.format.safetensors.index.ModelCheck} compares that index with
 * the files of the model.
 *
 * <p>{@code org.saevhadoop.format.parquet.index} reads the entries of the index {@code
 * _tensor_index.parquet}.
 *
 * <p>Guarantees: fetching a tensor takes one lookup, one read of the header of its file and one
 * read of its data. An index is never trusted: an entry that differs from the header of its file is
 * reported as stale, and file names with a path are rejected.
 *
 * <p>Sources: safetensors-spark for the tensor index; huggingface_hub and transformers for {@code
 * model.safetensors.index.json}, which has no specification.
 */
@Internal
@NullMarked
package org.saevhadoop.format.safetensors.index;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
