/**
 * Headers and files of the safetensors format. Start with {@link
 * org.saevhadoop.format.safetensors.header.SafetensorsHeader}, which reads and encodes headers.
 *
 * <p>A file consists of
 *
 * <pre>
 *   8 bytes   N, unsigned, little-endian
 *   N bytes   a JSON object in UTF-8, padded with spaces
 *   the rest  the data of the tensors: row-major, little-endian, without gaps
 * </pre>
 *
 * <p>and the JSON has the form
 *
 * <pre>
 *   {"__metadata__":{"key":"value"},
 *    "name":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}
 * </pre>
 *
 * <p>with offsets relative to the end of the header. The rules follow, each with its source:
 * "specification" is the section "Format" of the README of <a
 * href="https://github.com/huggingface/safetensors">huggingface/safetensors</a>, "reference" is the
 * behaviour of the Rust library there (0.8) where the text is silent or differs.
 *
 * <ul>
 *   <li>N is at most 100,000,000, and the header ends within the file (reference).
 *   <li>The header is strict UTF-8 and JSON (specification). White space may precede the object,
 *       although the specification requires it to begin with {; a byte order mark may not
 *       (reference).
 *   <li>{@code __metadata__} and the three fields of a tensor occur at most once (reference). The
 *       name of a tensor and a metadata key may be duplicated, although the specification forbids
 *       it, and the last one counts (reference); {@link
 *       org.saevhadoop.format.safetensors.header.HeaderStrictness#STRICT} rejects duplicates.
 *   <li>{@code __metadata__} is an object of strings (specification) or null, which means none
 *       (reference).
 *   <li>Unknown fields of a tensor are ignored, but must be JSON that serde_json accepts: at most
 *       127 levels of nesting, numbers in the range of a double, no lone surrogates (reference).
 *   <li>A tensor may be an array of its three fields, and a dtype an object such as {@code
 *       {"U8":null}} (reference); strict parsing rejects both.
 *   <li>The dtypes are those of {@link org.saevhadoop.format.tensor.DType} (reference; the
 *       specification lists some). A shape of {@code []} is a scalar, and a tensor with a dimension
 *       of 0 is empty (specification).
 *   <li>Dimensions and offsets are integers from 0 to 2^64-1 without sign, decimal point or
 *       exponent. The product of the dimensions, from left to right, and the size in bits are less
 *       than 2^64; packed types fill whole bytes (reference).
 *   <li>Ordered by offset, the tensors tile the data without gap or overlap (specification), from
 *       the first byte to the last (reference). They need not be aligned (specification).
 *   <li>Tensors are written in descending order of the dtype, then in UTF-8 order of the name, and
 *       the header is padded to a multiple of 8 bytes, so that every tensor is aligned to its
 *       elements (reference). More padding gives the data a larger alignment. Metadata is written
 *       in UTF-8 order of its keys; the order of the reference is random.
 * </ul>
 *
 * <p>A name, the metadata and the dimensions of a tensor have limits that the reference does not
 * have ({@code HeaderLimits}), because each is read at once.
 *
 * <p>Errors have the names of the reference, {@link
 * org.saevhadoop.format.safetensors.header.SafetensorsError}, and are reported in the order of its
 * checks; the additional errors of strict parsing follow all of them.
 *
 * <p>A header stays in memory as its bytes. During the checks, {@code TensorColumns} holds the
 * position of the name and the offsets of each tensor; afterwards only the positions are kept, and
 * {@code TensorEntry} parses a tensor again on each access. The memory used is therefore
 * proportional to the length of the header, not to the number of objects in it.
 */
package org.saevhadoop.format.safetensors.header;
