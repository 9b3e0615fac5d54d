/**
 * safetensors, a file format for named tensors. Start with {@link
 * org.saevhadoop.format.safetensors.header.SafetensorsHeader}, which reads and encodes headers, and
 * {@link org.saevhadoop.format.safetensors.header.SafetensorsWriter}.
 *
 * <p>Datasets of such files are read by {@link
 * org.saevhadoop.format.safetensors.dataset.SafetensorsTable}, and where their columns are
 * activations by {@link org.saevhadoop.format.safetensors.dataset.SafetensorsDataset} over it.
 * {@link org.saevhadoop.format.safetensors.dataset.BatchWritePlan} says what is written in the
 * batch layout, {@link org.saevhadoop.format.safetensors.dataset.KeyedWritePlan} in the key-value
 * layout, whose tensors {@link org.saevhadoop.format.safetensors.index.KeyedTensors} fetches one by
 * one. {@link org.saevhadoop.format.safetensors.dataset.DatasetCheck} finds all that is wrong with
 * a dataset, {@link org.saevhadoop.format.safetensors.index.ModelIndex} reads the folders of
 * models.
 *
 * <p>A file is
 *
 * <pre>
 *   8 bytes   N, unsigned, little endian
 *   N bytes   a JSON object in UTF-8, padded with blanks
 *   the rest  the tensors' bytes: row-major, little endian, back to back
 * </pre>
 *
 * <p>and its JSON
 *
 * <pre>
 *   {"__metadata__":{"key":"value"},
 *    "name":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}
 * </pre>
 *
 * <p>where offsets count from the end of the header. The rules, and where each comes from. "Spec"
 * is the section "Format" of the README of <a
 * href="https://github.com/huggingface/safetensors">huggingface/safetensors</a>; "reference" is
 * what the Rust library there (0.8) does where the text is silent or says otherwise.
 *
 * <ul>
 *   <li>N is at most 100,000,000, and the header ends within the file (reference).
 *   <li>The header is strict UTF-8 and JSON (spec). Blanks may stand before the object too, against
 *       the spec's "must begin with {"; a byte order mark may not (reference).
 *   <li>{@code __metadata__} and the three fields of a tensor come at most once (reference). A
 *       tensor's name and a key of the metadata may come twice, against the spec, and the last one
 *       counts (reference); {@link
 *       org.saevhadoop.format.safetensors.header.HeaderStrictness#STRICT} reading refuses that.
 *   <li>{@code __metadata__} is an object of strings (spec) or null, which means none (reference).
 *   <li>Unknown fields of a tensor are ignored, but must be JSON that serde_json reads: nested to
 *       127 at most, numbers within a double's range, no half surrogate pairs (reference).
 *   <li>A tensor may be an array of its three fields, a dtype an object like {@code {"U8":null}}
 *       (reference); strict reading refuses that.
 *   <li>The dtypes are those of {@link org.saevhadoop.format.tensor.DType} (reference; the spec
 *       lists some). A shape of {@code []} is a scalar, a dimension of 0 an empty tensor (spec).
 *   <li>Dimensions and offsets are integers from 0 to 2^64-1, without sign, point or exponent. The
 *       product of the dimensions, from left to right, and the size in bits stay below 2^64; packed
 *       types fill whole bytes (reference).
 *   <li>Ordered by offsets, the tensors tile the data without hole or overlap (spec) from its first
 *       byte to its last (reference). They need not be aligned (spec).
 *   <li>Written are tensors by descending dtype, then by name in UTF-8 order, and blanks up to a
 *       multiple of 8, so that every tensor is aligned to its elements (reference). More blanks
 *       give the data a larger alignment. Metadata is written in UTF-8 order of its keys: the
 *       reference's order is random.
 * </ul>
 *
 * <p>Errors have the reference's names, {@link
 * org.saevhadoop.format.safetensors.header.SafetensorsError}, and come in the order in which it
 * checks; what only strict reading refuses comes after all of them.
 *
 * <p>A header that is read stays as its bytes. While it is checked, {@code TensorColumns} keep the
 * place of each tensor's name and its offsets; afterwards only the places of the names are kept,
 * and {@code TensorEntry} reads a tensor again whenever it is asked for. So a header takes memory
 * in proportion to its length, not to the objects that it could be turned into.
 */
package org.saevhadoop.format.safetensors;
