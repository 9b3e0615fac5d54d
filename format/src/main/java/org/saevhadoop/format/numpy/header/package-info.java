/**
 * The parts that numpy arrays in .npy files and in pickles have in common: element types and
 * headers.
 *
 * <p>Start with {@link org.saevhadoop.format.numpy.header.NumpyType}, the element types and all
 * notations of their names, and {@link org.saevhadoop.format.numpy.header.NpyHeader}, which reads
 * and writes the header of a .npy file. {@link org.saevhadoop.format.numpy.header.NpyError} lists
 * the kinds of errors.
 *
 * <p>Guarantees: headers of the versions 1.0, 2.0 and 3.0 are read with 64 KiB of memory; nothing
 * is evaluated. A file that is accepted contains all values of its shape. Structured dtypes, dtypes
 * with a shape, Python objects and dates are refused. numpy has no names for the types of
 * ml_dtypes: only bfloat16 is recognized, and only in pickles, because .npy files record it as two
 * bytes without a type. Arrays in files are read by {@code format.numpy.file}.
 *
 * <p>Sources: NEP 1; numpy/lib/_format_impl.py and {@code numpy.dtype} of numpy 2.4; {@code
 * bfloat16} of ml_dtypes 0.5.
 */
@Internal
@NullMarked
package org.saevhadoop.format.numpy.header;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
