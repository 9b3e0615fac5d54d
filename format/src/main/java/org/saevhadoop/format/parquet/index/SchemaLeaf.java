package org.saevhadoop.format.parquet.index;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.file.ThriftStruct;

/**
 * Leaf of the Parquet schema that represents a column.
 *
 * @param number the index of the leaf among all leaves, and of its chunk among the chunks
 * @param type the Parquet {@code Type}
 * @param repetition the maximum repetition level: 1 in a list, otherwise 0
 * @param definition the maximum definition level, which denotes a non-null value
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
    ThriftStruct.require(!schema.isEmpty(), "there is no schema");
    Iterator<ThriftStruct> rest = schema.listIterator(1); // the root carries no information
    List<SchemaLeaf> all = new ArrayList<>();
    Map<String, List<SchemaLeaf>> leaves = new HashMap<>();
    while (rest.hasNext()) {
      ThriftStruct top = rest.next();
      int first = all.size();
      collect(rest, top, 0, 0, 0, all);
      leaves
          .computeIfAbsent(name(top), name -> new ArrayList<>())
          .addAll(all.subList(first, all.size()));
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
    if (name == null) {
      throw new IllegalArgumentException("an element of the schema has no name");
    }
    return new String(name, java.nio.charset.StandardCharsets.UTF_8);
  }

  /** Collects the leaves at or below an element of the schema, a tree stored depth first. */
  private static void collect(
      Iterator<ThriftStruct> rest,
      ThriftStruct element,
      int depth,
      int repetition,
      int definition,
      List<SchemaLeaf> leaves) {
    ThriftStruct.require(depth < MAX_DEPTH, "the schema is not a tree");
    int kind = element.integer(3); // required, optional, repeated
    int rep = repetition + (kind == 2 ? 1 : 0);
    int def = definition + (kind == 0 ? 0 : 1);
    int children = element.integer(5);
    if (children == 0) {
      leaves.add(new SchemaLeaf(leaves.size(), element.integer(1), rep, def));
    }
    for (int i = 0; i < children; i++) {
      ThriftStruct.require(rest.hasNext(), "the schema is not a tree");
      collect(rest, rest.next(), depth + 1, rep, def, leaves);
    }
  }
}
