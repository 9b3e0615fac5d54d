package org.saevhadoop.format.parquet;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.FormatException;

/**
 * Leaf of the Parquet schema for a column.
 *
 * @param number the index of the leaf among all leaves, and of its chunk among the chunks
 * @param type Type of Parquet
 * @param repetition the maximum repetition level: 1 in a list, otherwise 0
 * @param definition the maximum definition level, which is that of a non-null value
 */
record SchemaLeaf(int number, int type, int repetition, int definition) {
  static final int INT32 = 1;
  static final int INT64 = 2;
  static final int BYTE_ARRAY = 6;

  private static final int MAX_DEPTH = 32;

  /**
   * Returns the leaves of the columns of an index; begin, end and header_bytes are omitted if the
   * file lacks them.
   */
  static Map<IndexColumn, SchemaLeaf> find(String path, List<ThriftStruct> schema)
      throws FormatException {
    Map<String, List<SchemaLeaf>> leaves = new java.util.HashMap<>();
    ThriftStruct.require(!schema.isEmpty(), "there is no schema");
    Walk walk = new Walk(schema, leaves);
    while (walk.next < schema.size()) {
      String name = name(schema.get(walk.next));
      walk.element(name, 0, 0, 0);
    }
    Map<IndexColumn, SchemaLeaf> found = new EnumMap<>(IndexColumn.class);
    for (IndexColumn column : IndexColumn.values()) {
      List<SchemaLeaf> here = leaves.getOrDefault(column.column(), List.of());
      ParquetError.NO_INDEX.check(
          !here.isEmpty() || column.ordinal() >= IndexColumn.NEEDED,
          path,
          "has no column %s (expected a tensor index)",
          column.column());
      if (!here.isEmpty()) {
        SchemaLeaf leaf = here.get(0);
        ParquetError.NO_INDEX.check(
            here.size() == 1 && leaf.fits(column),
            path,
            "column %s does not have the type of a tensor index",
            column.column());
        found.put(column, leaf);
      }
    }
    return found;
  }

  private boolean fits(IndexColumn column) {
    return column.text()
        ? type == BYTE_ARRAY && repetition == 0
        : (type == INT32 || type == INT64) && repetition == (column == IndexColumn.SHAPE ? 1 : 0);
  }

  private static String name(ThriftStruct element) {
    byte[] name = element.bytes(4);
    ThriftStruct.require(name != null, "an element of the schema has no name");
    return new String(name, java.nio.charset.StandardCharsets.UTF_8);
  }

  /** Walk over the schema, a tree that is stored depth first. */
  private static final class Walk {
    private final List<ThriftStruct> schema;
    private final Map<String, List<SchemaLeaf>> leaves;
    private int next = 1; // The root carries no information.
    private int number;

    Walk(List<ThriftStruct> schema, Map<String, List<SchemaLeaf>> leaves) {
      this.schema = schema;
      this.leaves = leaves;
    }

    void element(String top, int depth, int repetition, int definition) {
      ThriftStruct.require(depth < MAX_DEPTH && next < schema.size(), "the schema is no tree");
      ThriftStruct element = schema.get(next);
      next++;
      int kind = element.integer(3); // Required, optional, repeated.
      int rep = repetition + (kind == 2 ? 1 : 0);
      int def = definition + (kind == 0 ? 0 : 1);
      int children = element.integer(5);
      if (children == 0) {
        leaves
            .computeIfAbsent(top, name -> new ArrayList<>())
            .add(new SchemaLeaf(number, element.integer(1), rep, def));
        number++;
      }
      for (int i = 0; i < children; i++) {
        element(top, depth + 1, rep, def);
      }
    }
  }
}
