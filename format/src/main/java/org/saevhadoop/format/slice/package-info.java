/**
 * Slices of tensors, independent of the format in which a tensor is stored.
 *
 * <p>The entry point is {@link org.saevhadoop.format.slice.TensorSlice}. It parses a selection in
 * numpy notation, clamps the bounds as numpy does, and returns the byte ranges of the selected
 * part; the ranges are in row-major order, maximal and computed lazily, so a slice with any number
 * of ranges needs constant memory. No values are read. Shapes consist of unsigned 64-bit numbers.
 *
 * <p>If a tensor does not have the requested slice, a {@link
 * org.saevhadoop.format.slice.SliceException} is thrown, whose message begins with the name of the
 * error in {@code slice.rs} of the safetensors crate.
 */
@Internal
@NullMarked
package org.saevhadoop.format.slice;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
