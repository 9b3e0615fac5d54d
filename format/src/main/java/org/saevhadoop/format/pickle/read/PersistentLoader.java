package org.saevhadoop.format.pickle.read;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Returns the objects that a pickle names but does not contain, like {@code persistent_load} and
 * {@code find_class} of CPython's {@code pickle.Unpickler}.
 */
@FunctionalInterface
public interface PersistentLoader {
  /**
   * Returns the object of an id, as defined by {@link
   * org.saevhadoop.format.pickle.value.PythonValue}.
   *
   * @param id an ASCII String (opcode PERSID), or any object (BINPERSID). Its size is limited, but
   *     it is not checked yet: it can be nested and contain itself, and later opcodes can change it
   * @throws IOException if no object has this id
   */
  @Nullable Object load(@Nullable Object id) throws IOException;

  /**
   * Returns the object of a global that is allowed in addition to numpy's and Python's containers:
   * a {@link PickleFunction}, or any other object, which cannot be called. The result should be a
   * constant, because its memory is not limited.
   *
   * @return the object; null to refuse the global, unless it belongs to numpy or is a container
   */
  default @Nullable Object find(String module, String name) {
    return null;
  }

  /**
   * Returns whether globals that are not allowed become {@linkplain OpaqueObject placeholders}
   * instead of being refused.
   */
  default boolean keepsOthers() {
    return false;
  }
}
