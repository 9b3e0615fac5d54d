package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.flatbuffer.FlatTable;
import org.saevhadoop.format.io.Input;

/** Schemas; the indexes of fields are defined in Schema.fbs (Arrow 18). */
final class ArrowSchema {
  private static final int ENDIANNESS = 0;
  private static final int FIELDS = 1;

  private ArrowSchema() {}

  /** Returns the fields of a little-endian schema. */
  static List<ArrowField> fields(String path, FlatTable schema) throws IOException {
    ArrowError.UNSUPPORTED.check(
        schema.i16(ENDIANNESS) == 0,
        path,
        "has big-endian values, which are not read (expected little-endian: read it with pyarrow and"
            + " write it again)");
    return new ArrowField.Reader(path).fields(schema, FIELDS, 0);
  }

  /** Returns the columns of a file by their names. */
  static Map<String, ArrowField> columns(Input file) throws IOException {
    Map<String, ArrowField> columns = new LinkedHashMap<>();
    for (ArrowField field : fields(file.path(), new ArrowMessages(file).schema().header())) {
      columns.putAll(field.columns(""));
    }
    return columns;
  }
}
