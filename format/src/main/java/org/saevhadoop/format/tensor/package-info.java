/**
 * Element types of tensors and conversions between them.
 *
 * <p>The entry points are {@link org.saevhadoop.format.tensor.DType}, the element types, and {@link
 * org.saevhadoop.format.tensor.DTypeConversion}, which converts little-endian elements from one
 * type to another under a {@link org.saevhadoop.format.tensor.RoundingPolicy} and a {@link
 * org.saevhadoop.format.tensor.RangePolicy} and counts the changes ({@link
 * org.saevhadoop.format.tensor.ConversionChanges}). {@link org.saevhadoop.format.tensor.FloatText}
 * returns the text of a float as Python's json and orjson write it.
 *
 * <p>Sources: the {@code Dtype} enum of the safetensors crate for names and order; IEEE 754 for
 * F16, F32 and F64; numpy and ml_dtypes for NaNs under {@code NEAREST_EVEN}; safetensors-spark for
 * {@code TRUNCATE}; CPython's Python/dtoa.c and orjson for the text of floats.
 */
@NullMarked
package org.saevhadoop.format.tensor;

import org.jspecify.annotations.NullMarked;
