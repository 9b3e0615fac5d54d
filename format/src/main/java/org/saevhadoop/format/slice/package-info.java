/**
 * Slices of tensors, independent of the format in which a tensor is stored.
 *
 * <p>The entry point is {@link org.saevhadoop.format.slice.TensorSlice}. It selects a part of a
 * tensor along its leading dimensions, from indexes ({@link
 * org.saevhadoop.format.slice.TensorSlice#of}) or from a text in numpy notation ({@link
 * org.saevhadoop.format.slice.TensorSlice#parse}), and returns the byte ranges of that part. No
 * value is read.
 *
 * <p>The byte ranges are in row-major order, maximal and computed lazily, so that a slice of any
 * number of ranges needs constant memory. Shapes are unsigned 64-bit numbers. A slice that a tensor
 * does not have is a {@link org.saevhadoop.format.slice.SliceException}.
 *
 * <p>Sources: {@code slice.rs} of the safetensors crate ({@code sliced_data}) for the rules and
 * error names; basic indexing of numpy for the text, in which bounds are clamped.
 */
package org.saevhadoop.format.slice;
