package org.saevhadoop.format.pickle.read;

import java.io.IOException;
import java.util.List;

/** A function that a {@link PersistentLoader} allows a pickle to call. */
@FunctionalInterface
public interface PickleFunction {
  /**
   * Returns the result of a call, which should take no more memory than a small object and the
   * elements of tuples among the arguments.
   *
   * @param path the path of the pickle, for error messages
   * @param args the arguments, as defined by {@link
   *     org.saevhadoop.format.pickle.value.PythonValue}. They are not checked yet: they can be
   *     nested and contain themselves, and later opcodes can change them
   * @throws IOException if the Python function would fail, or if its result is not supported
   */
  Object call(String path, List<Object> args) throws IOException;
}
