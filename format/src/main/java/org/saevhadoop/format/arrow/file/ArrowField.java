package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.flatbuffer.FlatTable;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.tensor.DType;

/**
 * A field of a schema. The constants are the indexes of fields in the tables of Schema.fbs (Arrow
 * 18).
 *
 * @param size the number of elements of each list, if it is fixed; for a union, the mode (1 if it
 *     is dense); otherwise 0
 * @param dtype the type of numbers; null if the values are not numbers
 * @param scalar the type of the values if they can be sample metadata; otherwise null
 * @param encoding the encoding of the values as dictionary indexes; null if they are not encoded
 * @param extension the name of the extension type; an empty string if there is none
 * @param extensionText the parameters of the extension type
 */
record ArrowField(
    String name,
    ArrowType type,
    long size,
    @Nullable DType dtype,
    @Nullable ArrowScalar scalar,
    @Nullable Encoding encoding,
    String extension,
    String extensionText,
    List<ArrowField> children) {
  private static final int NAME = 0;
  private static final int TYPE_KIND = 2;
  private static final int TYPE = 3;
  private static final int DICTIONARY = 4;
  private static final int CHILDREN = 5;
  private static final int METADATA = 6;

  /** The first field of the tables of types, which is their parameter. */
  private static final int PARAMETER = 0;

  private static final int IS_SIGNED = 1;

  private static final String EXTENSION_NAME = "ARROW:extension:name";
  private static final String EXTENSION_TEXT = "ARROW:extension:metadata";
  private static final int MAX_METADATA = 1 << 10;
  private static final int MAX_SHOWN = 100;

  private static final int DICTIONARY_ID = 0;
  private static final int INDEX_TYPE = 1;

  /**
   * The encoding of values as dictionary indexes.
   *
   * @param id the number of the dictionary
   * @param index the type of the indexes
   */
  record Encoding(long id, ArrowScalar index) {}

  ArrowField {
    children = List.copyOf(children);
  }

  boolean isEncoded() {
    return encoding != null;
  }

  /** Returns the columns by name: this field, or the fields that it contains as a struct. */
  Map<String, ArrowField> columns(String prefix) {
    String own = prefix + name;
    if (type != ArrowType.STRUCT) {
      return Map.of(own, this);
    }
    Map<String, ArrowField> columns = new LinkedHashMap<>();
    children.forEach(child -> columns.putAll(child.columns(own + ".")));
    return columns;
  }

  /** Returns the type of the elements of the innermost lists. */
  ArrowField innermost() {
    return type.isList() ? children.get(0).innermost() : this;
  }

  /** Returns the number of nodes of the field and its children in a record batch. */
  int nodes() {
    return isEncoded() ? 1 : 1 + children.stream().mapToInt(ArrowField::nodes).sum();
  }

  /** Returns the number of dimensions of a row. */
  int rank() {
    return type.isList() ? 1 + children.get(0).rank() : 0;
  }

  /** Reads fields. Tables can share their children, so the number of fields is limited. */
  static final class Reader {
    private static final int MAX_DEPTH = 32;
    private static final int MAX_FIELDS = 1 << 14;

    private final String path;
    private int fields;

    Reader(String path) {
      this.path = path;
    }

    /**
     * Reads a vector of fields.
     *
     * @param index the index of the vector in the table
     */
    List<ArrowField> fields(FlatTable table, int index, int depth) throws IOException {
      FlatTable.Vector vector = table.vector(index, Integer.BYTES);
      ArrowError.TOO_LARGE.check(
          vector.count() <= MAX_FIELDS - fields && depth <= MAX_DEPTH,
          path,
          "has more than %d fields, or fields nested more than %d levels deep",
          MAX_FIELDS,
          MAX_DEPTH);
      fields += (int) vector.count();
      List<ArrowField> list = new ArrayList<>();
      for (long i = 0; i < vector.count(); i++) {
        list.add(field(vector.table(i), depth));
      }
      return list;
    }

    private ArrowField field(FlatTable table, int depth) throws IOException {
      String name = Optional.ofNullable(table.text(NAME)).orElse("");
      int kind = table.i8(TYPE_KIND) & 0xff;
      FlatTable parameters = table.table(TYPE);
      ArrowError.UNSUPPORTED.check(
          kind < ArrowType.values().length,
          path,
          "column %s has the type %d, which Arrow 18 does not define",
          Quote.show(name, MAX_SHOWN),
          kind);
      ArrowType type = ArrowType.values()[kind];
      ArrowError.BAD_METADATA.check(
          type != ArrowType.NONE && parameters != null,
          path,
          "column %s has no type",
          Quote.show(name, MAX_SHOWN));
      String[] extension = {"", ""};
      FlatTable.Vector metadata = table.vector(METADATA, Integer.BYTES);
      for (long i = 0; i < Math.min(MAX_METADATA, metadata.count()); i++) {
        FlatTable entry = metadata.table(i);
        String key = entry.text(0);
        if (EXTENSION_NAME.equals(key) || EXTENSION_TEXT.equals(key)) {
          extension[EXTENSION_NAME.equals(key) ? 0 : 1] =
              Optional.ofNullable(entry.text(1)).orElse("");
        }
      }
      List<ArrowField> children = fields(table, CHILDREN, depth + 1);
      ArrowError.BAD_METADATA.check(
          !type.isList() || children.size() == 1,
          path,
          "column %s is a list of %d types (expected 1)",
          Quote.show(name, MAX_SHOWN),
          children.size());
      DType dtype = dtype(type, parameters);
      return new ArrowField(
          name,
          type,
          size(type, parameters),
          dtype,
          parameters == null ? null : ArrowScalar.of(type, dtype, parameters),
          encoding(name, table.table(DICTIONARY)),
          extension[0],
          extension[1],
          children);
    }

    private @Nullable Encoding encoding(String name, @Nullable FlatTable dictionary)
        throws IOException {
      if (dictionary == null) {
        return null;
      }
      FlatTable type = dictionary.table(INDEX_TYPE);
      DType index =
          type == null ? DType.I32 : integer(type.i32(PARAMETER), type.i8(IS_SIGNED) != 0);
      if (index == null) {
        throw ArrowError.BAD_METADATA.in(
            path,
            "column %s has indexes of a dictionary that are not integers of 8, 16, 32 or 64 bits",
            Quote.show(name, MAX_SHOWN));
      }
      return new Encoding(dictionary.i64(DICTIONARY_ID), ArrowScalar.ofIntegers(index));
    }

    private static long size(ArrowType type, @Nullable FlatTable parameters) throws IOException {
      return parameters == null
          ? 0
          : switch (type) {
            case FIXED_SIZE_LIST -> parameters.i32(PARAMETER);
            case UNION -> parameters.i16(PARAMETER);
            default -> 0;
          };
    }

    private static @Nullable DType dtype(ArrowType type, @Nullable FlatTable parameters)
        throws IOException {
      if (parameters == null) {
        return null;
      }
      return switch (type) {
        case BOOL -> DType.BOOL;
        case FLOATING_POINT ->
            switch (parameters.i16(PARAMETER)) {
              case 0 -> DType.F16;
              case 1 -> DType.F32;
              case 2 -> DType.F64;
              default -> null;
            };
        case INT -> integer(parameters.i32(PARAMETER), parameters.i8(IS_SIGNED) != 0);
        default -> null;
      };
    }

    private static @Nullable DType integer(int bits, boolean isSigned) {
      return switch (bits) {
        case 8 -> isSigned ? DType.I8 : DType.U8;
        case 16 -> isSigned ? DType.I16 : DType.U16;
        case 32 -> isSigned ? DType.I32 : DType.U32;
        case 64 -> isSigned ? DType.I64 : DType.U64;
        default -> null;
      };
    }
  }
}
