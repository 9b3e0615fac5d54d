/**
 * Values of Python pickles. Start with {@link org.saevhadoop.format.pickle.value.PythonValue},
 * which defines the Java representation of each Python type. The package also contains the
 * conversion of values to and from JSON.
 *
 * <p>Long byte strings and array data are stored outside the heap: {@link
 * org.saevhadoop.format.pickle.value.PayloadData} refers to bytes in a {@link
 * org.saevhadoop.format.pickle.value.PayloadStore}, and {@link
 * org.saevhadoop.format.pickle.value.ArrayBytes} reads array elements in C order and in
 * little-endian form, regardless of their order in the pickle.
 *
 * <p>Guarantees: values are lossless, including lone surrogates, the payloads of NaNs and the
 * difference between a surrogate pair and one character. {@link
 * org.saevhadoop.format.pickle.value.PickleLimits} bounds the memory of all values of a pickle.
 *
 * <p>Sources: the data model and the {@code surrogatepass} and {@code raw-unicode-escape} codecs of
 * CPython 3; {@code numpy.dtype} and {@code numpy.ndarray} of numpy 1 and 2 (up to 2.4); {@code
 * bfloat16} of ml_dtypes 0.5.
 */
@Internal
@NullMarked
package org.saevhadoop.format.pickle.value;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
