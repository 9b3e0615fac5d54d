package org.saevhadoop.format.samediff.sdnb;

import java.util.List;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samediff.sdnb.StoredArray.MemoryOrder;

/**
 * An array whose values cannot be read because they have no known layout. It is listed, and does
 * not prevent other arrays from being read.
 *
 * @param name the name of its variable
 * @param kind the kind of its variable
 * @param typeCode the code of the type of the elements
 * @param shape the dimensions; empty if they are not recorded
 * @param order the order of the elements
 * @param reason why the values cannot be read
 */
public record UnreadableArray(
    String name,
    VariableKind kind,
    int typeCode,
    List<Long> shape,
    MemoryOrder order,
    Reason reason) {
  /** Why the values of an array cannot be read. */
  public enum Reason {
    /** The type is not one of numbers. */
    TYPE,
    /** The values are in another file. */
    EXTERNAL,
    /** The values are in several buffers. */
    CHUNKS
  }

  private static final int MAX_NAME = 100;

  public UnreadableArray {
    shape = List.copyOf(shape);
  }

  /** Returns the type; null if it is not one of numbers. */
  public SdnbType type() {
    return SdnbType.of(typeCode).orElse(null);
  }

  /** Returns the name of the type, or its code if the type is unknown. */
  public String typeName() {
    return SdnbType.name(typeCode);
  }

  /** Returns what the array has that prevents its values from being read. */
  public String obstacle() {
    return switch (reason) {
      case TYPE -> "the type " + typeName();
      case EXTERNAL -> "values in another file";
      case CHUNKS -> "values in chunks";
    };
  }

  /**
   * Returns the error for a request of the values.
   *
   * @param path the path of the file
   */
  public FormatException error(String path) {
    return SdnbError.UNSUPPORTED.in(
        path,
        "array %s has %s (expected numbers, inline or appended)",
        Quote.show(name, MAX_NAME),
        obstacle());
  }
}
