package org.saevhadoop.format.parquet.write;

import java.util.ArrayList;
import java.util.List;

/**
 * A column of a file.
 *
 * @param lists the lengths of the lists of a row, from the outermost; empty for one value per row.
 *     Lists are never null and have no nulls.
 * @param bytes the number of bytes of each value of {@link Physical#FIXED}; otherwise 0
 */
record ColumnSchema(String name, Physical type, Form form, List<Integer> lists, int bytes) {
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

  /** Whether a row can be null. */
  enum Form {
    REQUIRED,
    OPTIONAL
  }

  /** Creates a column with one number per row. */
  ColumnSchema(String name, Physical type, Form form) {
    this(name, type, form, List.of(), 0);
  }

  /** Creates a column of lists of numbers. */
  ColumnSchema(String name, Physical type, List<Integer> lists) {
    this(name, type, Form.REQUIRED, lists, 0);
  }

  boolean isOptional() {
    return form == Form.OPTIONAL;
  }

  boolean isList() {
    return !lists.isEmpty();
  }

  /** Returns the number of values in a row. */
  int values() {
    return lists.stream().reduce(1, Math::multiplyExact);
  }

  /** Returns the path of the values in the schema. */
  List<String> path() {
    List<String> path = new ArrayList<>(List.of(name));
    lists.forEach(length -> path.addAll(List.of("list", "element")));
    return path;
  }

  /** Returns the schema elements of the column and of all its descendants. */
  List<ThriftWriter> elements() {
    List<ThriftWriter> elements = new ArrayList<>();
    String at = name;
    for (int depth = 0; depth < lists.size(); depth++) {
      elements.add(
          new ThriftWriter()
              .i32(3, Form.REQUIRED.ordinal())
              .text(4, at)
              .i32(5, 1)
              .i32(6, CONVERTED_LIST)
              .struct(10, new ThriftWriter().struct(LOGICAL_LIST, new ThriftWriter())));
      elements.add(new ThriftWriter().i32(3, REPEATED).text(4, "list").i32(5, 1));
      at = "element";
    }
    ThriftWriter element = new ThriftWriter().i32(1, type.code);
    if (type == Physical.FIXED) {
      element.i32(2, bytes);
    }
    element.i32(3, form.ordinal()).text(4, at);
    if (type == Physical.BYTE_ARRAY) {
      element
          .i32(6, UTF8)
          .struct(10, new ThriftWriter().struct(LOGICAL_STRING, new ThriftWriter()));
    }
    elements.add(element);
    return elements;
  }
}
