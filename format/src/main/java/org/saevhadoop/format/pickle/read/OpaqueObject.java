package org.saevhadoop.format.pickle.read;

import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;

/**
 * Placeholder for a class or function that is not allowed, or for its result. Nothing is executed:
 * calls return placeholders, and the state, items and attributes that a pickle sets are dropped.
 */
public final class OpaqueObject {
  private final String module;
  private final String name;
  private final String where;

  OpaqueObject(String module, String name, String where) {
    this.module = module;
    this.name = name;
    this.where = where;
  }

  /** Returns the result of a call: a new object, which equals no other object. */
  OpaqueObject call() {
    return new OpaqueObject(module, name, where);
  }

  /** Returns the dotted name of the class or function in the pickle. */
  public String type() {
    return module + "." + name;
  }

  /** Returns the error for a reader that does not accept the class or function. */
  public FormatException refusal(String path) {
    return PickleError.UNSAFE_GLOBAL.of(
        path,
        where,
        ByteNames.quoted(module) + "." + ByteNames.quoted(name) + " is not allowed",
        null);
  }
}
