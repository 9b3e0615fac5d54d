/**
 * Slices of tensors, independent of the format in which a tensor is stored.
 *
 * <p>The entry point is {@link org.saevhadoop.format.slice.TensorSlice}. It selects a part of a
 * tensor by a text in numpy notation, with bounds clamped as in numpy, and returns the byte ranges
 * of the part: in row-major order, maximal and computed lazily, so that a slice of any number of
 * ranges needs constant memory. No value is read. Shapes consist of unsigned 64-bit numbers.
 *
 * <p>A slice that a tensor does not have causes a {@link
 * org.saevhadoop.format.slice.SliceException}, whose message begins with the name of the error in
 * {@code slice.rs} of the safetensors crate.
 */
@Internal
@NullMarked
package org.saevhadoop.format.slice;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
