package org.saevhadoop.format.samediff.sdnb;

import java.io.ObjectStreamConstants;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Classes that may occur in a manifest, with the descriptions that {@link
 * java.io.ObjectOutputStream} writes for them. The serialVersionUIDs of the {@code java.*} classes
 * are the same in every JDK since 1.4; the serialVersionUID of {@code Pair} follows from its source
 * in deeplearning4j.
 */
enum SerialClass {
  NUMBER("java.lang.Number", 0x86AC951D0B94E08BL, null),
  LONG("java.lang.Long", 0x3B8BE490CC8F23DFL, NUMBER, new SerialField('J', "value")),
  HASH_MAP(
      "java.util.HashMap",
      0x0507DAC1C31660D1L,
      null,
      new SerialField('F', "loadFactor"),
      new SerialField('I', "threshold")),
  LINKED_HASH_MAP(
      "java.util.LinkedHashMap",
      0x34C04E5C106CC0FBL,
      HASH_MAP,
      new SerialField('Z', "accessOrder")),
  PAIR(
      "org.nd4j.common.primitives.Pair",
      119,
      null,
      new SerialField(SerialField.OBJECT, "key"),
      new SerialField(SerialField.OBJECT, "value"));

  private final String className;
  private final long uid;
  private final @Nullable SerialClass parent;
  private final List<SerialField> fields;

  SerialClass(String className, long uid, @Nullable SerialClass parent, SerialField... fields) {
    this.className = className;
    this.uid = uid;
    this.parent = parent;
    this.fields = List.of(fields);
  }

  /**
   * A field in a class description.
   *
   * @param type the type code; an object field is declared with the type {@link #OBJECT_TYPE}
   */
  record SerialField(char type, String name) {
    static final char OBJECT = 'L';

    /** Type of all fields that hold objects; in the stream, it follows the field name. */
    static final String OBJECT_TYPE = "Ljava/lang/Object;";
  }

  String className() {
    return className;
  }

  long uid() {
    return uid;
  }

  /** Returns the flags; only the map writes custom data after its fields. */
  int flags() {
    int flags = ObjectStreamConstants.SC_SERIALIZABLE;
    return this == HASH_MAP ? flags | ObjectStreamConstants.SC_WRITE_METHOD : flags;
  }

  /** Returns the superclass; null if it is not serializable. */
  @Nullable SerialClass parent() {
    return parent;
  }

  /** Returns the fields in their order in the stream. */
  List<SerialField> fields() {
    return fields;
  }
}
