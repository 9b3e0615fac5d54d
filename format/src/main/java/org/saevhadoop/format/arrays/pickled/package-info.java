/**
 * Arrays in pickles, named by the keys and indexes of the containers around them: the code shared
 * by the readers of torch files and pickled numpy arrays.
 *
 * <p>{@link org.saevhadoop.format.arrays.pickled.PickledContent} lists the arrays and plain values
 * of an unpickled object; {@link org.saevhadoop.format.arrays.pickled.ArrayObjects} finds the
 * arrays of one program among its objects. {@link
 * org.saevhadoop.format.arrays.pickled.PickledArrays} reads pickled numpy arrays, and object arrays
 * in .npy files, which are pickles that follow a header.
 *
 * <p>Guarantees: nothing is executed. Objects of unknown classes become placeholders. Such objects
 * are named in a warning, or in an error if the file contains nothing else. Array elements are
 * skipped and later read in place; pickles of protocols 0 to 2 encode elements as text, and such
 * arrays are not read. Memory and time are bounded for any file by {@link
 * org.saevhadoop.format.arrays.pickled.PickledContent#LIMITS}, 2^22 objects, 2^18 arrays, 2^16
 * values and 500 nested containers; a container that contains itself is refused, and a container
 * that occurs several times is listed each time.
 *
 * <p>Sources: {@code array_reduce} and {@code array_setstate} in
 * numpy/_core/src/multiarray/methods.c, {@code _frombuffer} in numpy/_core/numeric.py, and {@code
 * write_array} in numpy/lib/_format_impl.py of numpy 2.4; Lib/pickle.py of CPython.
 */
@Internal
@NullMarked
package org.saevhadoop.format.arrays.pickled;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
