package org.saevhadoop.format.parquet.table;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.parquet.file.ThriftStruct;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.JsonScalars;

/**
 * A top-level column of a file, whose rows are scalars or arrays of numbers.
 *
 * @param name the name of the column
 * @param leaf the index of the column chunk in each row group
 * @param type the Parquet {@code Type}
 * @param width the number of bytes of a stored value; 0 for booleans, which are bits
 * @param dtype the type of the elements
 * @param isVector whether a stored value is a vector of fixed length, stored as bytes, rather than
 *     a single element
 * @param lists the number of nested lists, which is the maximum repetition level
 * @param definition the maximum definition level, which denotes a value that is not null
 * @param empty the definition level of an outermost list without elements
 * @param scalar the meaning of numbers that represent something else, such as dates
 */
public record TableColumn(
    String name,
    int leaf,
    int type,
    int width,
    DType dtype,
    boolean isVector,
    int lists,
    int definition,
    int empty,
    Optional<ScalarType> scalar) {
  /** The key in the file metadata for the type of vectors that are stored as bytes. */
  public static final String VECTOR_TYPE = "saev.vector.type";

  static final int BOOLEAN = 0;
  static final int INT32 = 1;
  static final int INT64 = 2;
  static final int FLOAT = 4;
  static final int DOUBLE = 5;
  static final int BYTE_ARRAY = 6;
  static final int FIXED = 7;

  private static final int REPEATED = 2;
  private static final int MAX_LISTS = 4;
  private static final int MAX_DEPTH = 32;
  private static final int LIST = 3; // of ConvertedType and LogicalType
  private static final Set<Integer> TEXTS = Set.of(0, 4, 19); // UTF8, ENUM, JSON
  private static final List<Integer> LOGICAL_TEXTS = List.of(1, 4, 12);
  private static final int UINT_8 = 11;
  private static final int INT_64 = 18;
  private static final int INTEGER = 10; // of LogicalType
  private static final int FLOAT16 = 15;
  private static final List<DType> INTEGERS =
      List.of(DType.U8, DType.U16, DType.U32, DType.U64, DType.I8, DType.I16, DType.I32, DType.I64);

  /** Returns whether the elements are floats. */
  public boolean isFloat() {
    return scalar.isEmpty() && (dtype == DType.BF16 || dtype.name().startsWith("F"));
  }

  /** Returns whether rows are strings. */
  public boolean isText() {
    return isBytes() && scalar.isEmpty();
  }

  /** Returns whether rows are stored as bytes of any length, that is, as strings or decimals. */
  boolean isBytes() {
    return type == BYTE_ARRAY;
  }

  /** Returns whether rows are integers. */
  public boolean isInteger() {
    return scalar.isEmpty() && (type == INT32 || type == INT64) && lists == 0;
  }

  /** Returns whether rows are integers or booleans, which can belong to tokens. */
  public boolean isOfTokens() {
    return isInteger() || scalar.isEmpty() && type == BOOLEAN && lists == 0;
  }

  /** Returns whether elements are dates, times, decimals or UUIDs, which arrays cannot contain. */
  public boolean isOther() {
    return scalar.isPresent();
  }

  /** Returns whether rows are lists of integers that have exactly four or eight bytes. */
  public boolean isListOfIntegers() {
    return scalar.isEmpty()
        && (type == INT32 || type == INT64)
        && lists > 0
        && elementBytes() == width;
  }

  /**
   * Returns whether rows can be JSON scalars: strings, numbers, booleans, dates, times or UUIDs.
   */
  public boolean isScalar() {
    return !isArray() && (type != FIXED || scalar.isPresent() || dtype == DType.F16);
  }

  /**
   * Returns a row that is not a string as JSON.
   *
   * @param stored the stored value, in a little-endian buffer; null for a null
   */
  public String json(@Nullable ByteBuffer stored) {
    return scalar.isPresent() ? scalar.get().json(this, stored) : JsonScalars.number(dtype, stored);
  }

  /** Returns whether a row is an array. */
  public boolean isArray() {
    return lists > 0 || isVector;
  }

  /** Returns the number of dimensions of the array, including the row dimension. */
  public int rank() {
    return 1 + lists + (isVector ? 1 : 0);
  }

  /** Returns the number of elements of a stored value. */
  public int elements() {
    return isVector ? width / elementBytes() : 1;
  }

  /** Returns the size of an element in bytes. */
  public int elementBytes() {
    return dtype.bits() / Byte.SIZE;
  }

  /**
   * The columns of a file.
   *
   * @param columns the columns that contain numbers, arrays of numbers or other scalars
   * @param others the names of the other columns, each with a description of its content
   */
  record Schema(List<TableColumn> columns, List<String> others) {}

  /**
   * Reads a schema, a tree that is stored depth first.
   *
   * @param metadata the metadata of the file
   */
  static Schema schema(List<ThriftStruct> elements, Map<String, String> metadata) {
    ThriftStruct.require(!elements.isEmpty(), "there is no schema");
    Iterator<ThriftStruct> rest = elements.listIterator(1); // the root carries no information
    Schema schema = new Schema(new ArrayList<>(), new ArrayList<>());
    Set<String> names = new HashSet<>();
    int leaf = 0;
    while (rest.hasNext()) {
      ThriftStruct top = rest.next();
      Path path = new Path();
      path.add(top, rest, 0);
      String name = name(top);
      ThriftStruct.require(names.add(name), "two columns are named " + Names.shown(name));
      Optional<TableColumn> column =
          path.isArray && path.lists <= MAX_LISTS
              ? path.column(name, leaf, metadata)
              : Optional.empty();
      column.ifPresent(schema.columns::add);
      if (column.isEmpty()) {
        schema.others.add(name);
      }
      leaf += path.leaves;
    }
    return schema;
  }

  private static String name(ThriftStruct element) {
    byte[] name = element.bytes(4);
    if (name == null) {
      throw new IllegalArgumentException("an element of the schema has no name");
    }
    return new String(name, java.nio.charset.StandardCharsets.UTF_8);
  }

  /** The schema elements from a top-level element to its leaf. */
  private static final class Path {
    private int lists;
    private int definition;
    private int empty;
    private int leaves;
    private boolean isArray = true;
    private @Nullable ThriftStruct last;

    void add(ThriftStruct element, Iterator<ThriftStruct> rest, int depth) {
      ThriftStruct.require(depth < MAX_DEPTH, "the schema is not a tree");
      int repetition = element.integer(3); // required, optional, repeated
      if (repetition == REPEATED && lists++ == 0) {
        empty = definition;
      }
      definition += repetition == 0 ? 0 : 1;
      int children = element.integer(5);
      ThriftStruct.require(children >= 0, "the schema is not a tree");
      if (children == 0) {
        leaves++;
        last = element;
        return;
      }
      isArray &= children == 1 && (repetition == REPEATED || isList(element));
      for (int i = 0; i < children; i++) {
        ThriftStruct.require(rest.hasNext(), "the schema is not a tree");
        add(rest.next(), rest, depth + 1);
      }
    }

    private static boolean isList(ThriftStruct element) {
      ThriftStruct logical = element.struct(10);
      return element.has(6) && element.integer(6) == LIST || logical != null && logical.has(LIST);
    }

    Optional<TableColumn> column(String name, int leaf, Map<String, String> metadata) {
      ThriftStruct element = last;
      if (element == null) {
        return Optional.empty();
      }
      int type = element.integer(1);
      int width = width(type, element.integer(2));
      DType dtype = dtype(type, element);
      String vectors = metadata.get(VECTOR_TYPE);
      boolean isVector = false;
      if (type == FIXED && dtype == null && vectors != null && !isAnnotated(element)) {
        isVector = true;
        dtype = DType.valueOf(vectors);
        int bytes = dtype.bits() / Byte.SIZE;
        ThriftStruct.require(
            bytes > 0 && width > 0 && width % bytes == 0,
            Quote.sentence("vectors of %d bytes are not of type %s", width, vectors));
      }
      if (type == BYTE_ARRAY && lists == 0 && isText(element)) {
        dtype = DType.U8;
      }
      Optional<ScalarType> scalar =
          dtype == null && lists == 0 ? ScalarType.of(type, width, element) : Optional.empty();
      if (scalar.isPresent()) {
        dtype = DType.U8;
      }
      return dtype == null
          ? Optional.empty()
          : Optional.of(
              new TableColumn(
                  name, leaf, type, width, dtype, isVector, lists, definition, empty, scalar));
    }

    private static int width(int type, int length) {
      return switch (type) {
        case INT32, FLOAT -> 4;
        case INT64, DOUBLE -> 8;
        case FIXED -> length;
        case ScalarType.INT96 -> ScalarType.INT96_BYTES;
        default -> 0;
      };
    }

    /**
     * Returns whether the bytes of a column are text in UTF-8: its logical type is STRING, ENUM or
     * JSON.
     */
    private static boolean isText(ThriftStruct element) {
      ThriftStruct logical = element.struct(10);
      return logical == null
          ? element.has(6) && TEXTS.contains(element.integer(6))
          : LOGICAL_TEXTS.stream().anyMatch(logical::has);
    }

    private static boolean isAnnotated(ThriftStruct element) {
      return element.has(6) || element.has(10);
    }

    private static @Nullable DType dtype(int type, ThriftStruct element) {
      ThriftStruct logical = element.struct(10);
      return switch (type) {
        case BOOLEAN -> DType.BOOL;
        case FLOAT -> DType.F32;
        case DOUBLE -> DType.F64;
        case FIXED ->
            logical != null && logical.has(FLOAT16) && element.integer(2) == 2 ? DType.F16 : null;
        case INT32, INT64 -> isAnnotated(element) ? integer(type, element, logical) : plain(type);
        default -> null;
      };
    }

    private static DType plain(int type) {
      return type == INT32 ? DType.I32 : DType.I64;
    }

    /** Returns the type of integers; null for dates, times and decimals. */
    private static @Nullable DType integer(
        int type, ThriftStruct element, @Nullable ThriftStruct logical) {
      DType found = null;
      if (logical != null && logical.has(INTEGER)) {
        ThriftStruct integer = logical.required(INTEGER, "an integer has no size");
        int size = Integer.numberOfTrailingZeros(integer.integer(1)) - 3;
        ThriftStruct.require(size >= 0 && size < 4, "an integer has an unknown size");
        found = INTEGERS.get(size + (integer.isTrue(2) ? 4 : 0));
      } else if (logical == null && element.integer(6) >= UINT_8 && element.integer(6) <= INT_64) {
        found = INTEGERS.get(element.integer(6) - UINT_8);
      }
      ThriftStruct.require(
          found == null || (found.bits() == Long.SIZE) == (type == INT64),
          "the size of an integer does not match its type");
      return found;
    }
  }
}
