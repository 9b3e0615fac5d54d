package org.saevhadoop.format.parquet.table;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.DType;

/** Numbers and booleans as JSON. */
public final class JsonScalars {
  private JsonScalars() {}

  /** Returns whether numbers of a column can be written. */
  static boolean areOf(TableColumn column) {
    return !column.isArray()
        && !column.isText()
        && column.dtype() != DType.F16
        && column.dtype() != DType.BF16
        && column.type() != TableColumn.FIXED;
  }

  /**
   * Returns the JSON of a number or boolean. Numbers that JSON does not have are texts.
   *
   * @param stored the stored value, little-endian; null for a null
   */
  public static String of(DType dtype, @Nullable ByteBuffer stored) {
    if (stored == null) {
      return "null";
    }
    int at = stored.position();
    return switch (dtype) {
      case BOOL -> String.valueOf(stored.get(at) != 0);
      case F32 -> {
        float value = stored.getFloat(at);
        yield Float.isFinite(value) ? String.valueOf(value) : "\"" + value + "\"";
      }
      case F64 -> {
        double value = stored.getDouble(at);
        yield Double.isFinite(value) ? String.valueOf(value) : "\"" + value + "\"";
      }
      case I64 -> String.valueOf(stored.getLong(at));
      case U64 -> Long.toUnsignedString(stored.getLong(at));
      case U32 -> Integer.toUnsignedString(stored.getInt(at));
      default -> String.valueOf(stored.getInt(at));
    };
  }
}
