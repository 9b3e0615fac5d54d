/**
 * Python pickles of protocols 0 to 5, without a Python interpreter.
 *
 * <ul>
 *   <li>{@link org.saevhadoop.format.pickle.read}: a restricted unpickler. Start with {@link
 *       org.saevhadoop.format.pickle.read.PickleReader}.
 *   <li>{@link org.saevhadoop.format.pickle.value}: the values that pickles contain. Start with
 *       {@link org.saevhadoop.format.pickle.value.PythonValue}.
 *   <li>{@link org.saevhadoop.format.pickle.write}: a streaming pickler. Start with {@link
 *       org.saevhadoop.format.pickle.write.PickleWriter}.
 * </ul>
 *
 * <p>Nothing in a pickle is executed: its objects become values of a few kinds, and any global that
 * does not build one of these values is an error. The data of arrays is never held in memory; it is
 * passed to a {@link org.saevhadoop.format.pickle.value.PayloadStore} while the pickle is read.
 */
@Internal
@NullMarked
package org.saevhadoop.format.pickle;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
