/**
 * A restricted machine that reads Python's pickles, and a writer of them. Nothing is executed: a
 * pickle's objects become values of a few kinds ({@link
 * org.saevhadoop.format.pickle.value.PythonValue}), and any global that does not build one of them
 * is an error. The bytes of arrays are never in memory: they go to {@link
 * org.saevhadoop.format.pickle.value.PayloadStore} as they come.
 */
package org.saevhadoop.format.pickle;
