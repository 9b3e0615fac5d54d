/**
 * Headers and files of the safetensors format. Start with {@link
 * org.saevhadoop.format.safetensors.header.SafetensorsHeader}, which reads and encodes headers.
 *
 * <p>docs/safetensors.md describes the structure of a file, the order of the checks, and the files
 * that are written. The details below supplement it. "Specification" refers to the section "Format"
 * of the README of <a
 * href="https://github.com/huggingface/safetensors">huggingface/safetensors</a>, and "reference" to
 * the Rust library there (0.8), which is authoritative where the text is silent or differs.
 *
 * <ul>
 *   <li>White space may precede the object, although the specification requires the header to begin
 *       with {; a byte order mark must not precede it (reference).
 *   <li>{@code __metadata__} and the three fields of a tensor each occur at most once (reference).
 *       The name of a tensor and a metadata key may be duplicated, although the specification
 *       forbids it (reference).
 *   <li>{@code __metadata__} is an object of strings (specification) or null, which means no
 *       metadata (reference).
 *   <li>Unknown fields of a tensor are ignored, but must be JSON that serde_json accepts: at most
 *       127 levels of nesting, numbers in the range of a double, no lone surrogates (reference).
 *   <li>A shape of {@code []} is a scalar, and a tensor with a dimension of 0 is empty
 *       (specification).
 *   <li>Dimensions and offsets are integers from 0 to 2^64-1 without sign, decimal point or
 *       exponent. The product of the dimensions, computed from left to right, must also be less
 *       than 2^64 (reference).
 * </ul>
 *
 * <p>A header is kept in memory as raw bytes. During the checks, {@code TensorColumns} holds the
 * position of the name and the offsets of each tensor; afterwards only the positions are kept, and
 * {@code TensorEntry} parses a tensor again on each access. The memory used is therefore
 * proportional to the length of the header, not to the number of objects in it.
 */
@Internal
@NullMarked
package org.saevhadoop.format.safetensors.header;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
