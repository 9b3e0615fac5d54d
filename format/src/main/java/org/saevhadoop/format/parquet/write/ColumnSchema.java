package org.saevhadoop.format.parquet.write;

import java.util.List;

/**
 * A column of a file.
 *
 * @param size the number of elements of each list, or the number of bytes of each value of {@link
 *     Physical#FIXED}; otherwise 0
 */
record ColumnSchema(String name, Physical type, Form form, int size) {
  private static final int UTF8 = 0;
  private static final int CONVERTED_LIST = 3;
  private static final int LOGICAL_STRING = 1;
  private static final int LOGICAL_LIST = 3;
  private static final int REPEATED = 2;

  /** Type of parquet.thrift. */
  enum Physical {
    INT32(1),
    INT64(2),
    FLOAT(4),
    DOUBLE(5),
    BYTE_ARRAY(6),
    FIXED(7);

    private final int code;

    Physical(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  /** How many values a row has. */
  enum Form {
    REQUIRED,
    OPTIONAL,
    /** A list that is never null and has no null. */
    LIST
  }

  /** Creates a column of one number a row. */
  ColumnSchema(String name, Physical type, Form form) {
    this(name, type, form, 0);
  }

  boolean isOptional() {
    return form == Form.OPTIONAL;
  }

  /** Returns the names that lead to the values. */
  List<String> path() {
    return form == Form.LIST ? List.of(name, "list", "element") : List.of(name);
  }

  /** Returns the elements of the schema: the column, and the elements below it. */
  List<ThriftWriter> elements() {
    if (form == Form.LIST) {
      return List.of(
          new ThriftWriter()
              .i32(3, Form.REQUIRED.ordinal())
              .text(4, name)
              .i32(5, 1)
              .i32(6, CONVERTED_LIST)
              .struct(10, new ThriftWriter().struct(LOGICAL_LIST, new ThriftWriter())),
          new ThriftWriter().i32(3, REPEATED).text(4, "list").i32(5, 1),
          new ThriftWriter().i32(1, type.code).i32(3, Form.REQUIRED.ordinal()).text(4, "element"));
    }
    ThriftWriter element = new ThriftWriter().i32(1, type.code);
    if (type == Physical.FIXED) {
      element.i32(2, size);
    }
    element.i32(3, form.ordinal()).text(4, name);
    if (type == Physical.BYTE_ARRAY) {
      element
          .i32(6, UTF8)
          .struct(10, new ThriftWriter().struct(LOGICAL_STRING, new ThriftWriter()));
    }
    return List.of(element);
  }
}
