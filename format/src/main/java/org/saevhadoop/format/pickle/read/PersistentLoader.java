package org.saevhadoop.format.pickle.read;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Returns the objects that a pickle names by persistent ids, as {@code persistent_load} of
 * CPython's {@code pickle.Unpickler} does.
 */
@FunctionalInterface
public interface PersistentLoader {
  /**
   * Returns the object of an id, as defined by {@link
   * org.saevhadoop.format.pickle.value.PythonValue}.
   *
   * @param id an ASCII String (opcode PERSID), or any object (BINPERSID). Its size is limited, but
   *     it is not checked yet: it may be nested and contain itself, and later opcodes may change it
   * @throws IOException if no object has this id
   */
  @Nullable Object load(@Nullable Object id) throws IOException;
}
