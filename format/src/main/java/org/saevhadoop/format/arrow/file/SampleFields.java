package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.saevhadoop.format.arrow.file.ArrowReader.Names;
import org.saevhadoop.format.arrow.file.ArrowReader.Row;
import org.saevhadoop.format.flatbuffer.FlatTable;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;

/**
 * Chooses the columns of a file that are fields of its sample metadata: strings, dates, times,
 * decimals and floats, one per row. Columns of integers and booleans are also fields, unless a row
 * is one token, no value is null, and they have no dictionary: in that case, they belong to the
 * tokens.
 */
final class SampleFields {
  private static final int NODES = 1;
  private static final int STRUCT_BYTES = 2 * Long.BYTES;
  private static final int MAX_SHOWN = 100;

  private SampleFields() {}

  /** Returns the names of the columns, in the order of the file. */
  static Set<String> of(Input file, Names names) throws IOException {
    ArrowMessages messages = new ArrowMessages(file);
    List<ArrowField> fields = ArrowSchema.fields(file.path(), messages.schema().header());
    Map<String, Integer> chosen = new LinkedHashMap<>();
    Map<String, Integer> undecided = new LinkedHashMap<>();
    int node = 0;
    boolean hasTokens = hasTokens(fields, names);
    for (ArrowField field : names.row() == Row.OTHER ? List.<ArrowField>of() : fields) {
      if (isCandidate(field, names)) {
        ArrowError.BAD_METADATA.check(
            chosen.put(field.name(), node) == null,
            file.path(),
            "has two columns named %s (expected different names, or --no-sample-metadata, which"
                + " ignores both)",
            Quote.show(field.name(), MAX_SHOWN));
        if (field.scalar() != null
            && field.scalar().isInteger()
            && !field.isEncoded()
            && !hasTokens
            && !names.scalars().contains(field.name())) {
          undecided.put(field.name(), node);
        }
      }
      node += field.nodes();
    }
    chosen.keySet().removeAll(undecided.keySet());
    return undecided.isEmpty()
        ? chosen.keySet()
        : inOrder(fields, chosen.keySet(), nullable(messages, undecided));
  }

  private static boolean isCandidate(ArrowField field, Names names) {
    return field.scalar() != null
        && field.extension().isEmpty()
        && !names.isNamed(field.name())
        && !names.isOfTokens(field.name());
  }

  private static boolean hasTokens(List<ArrowField> fields, Names names) {
    return names.row() == Row.TOKENS
        || names.row() == Row.EXAMPLE
            && fields.stream()
                .flatMap(field -> field.columns("").values().stream())
                .anyMatch(field -> field.rank() > 1 && isFloat(field.innermost()));
  }

  private static boolean isFloat(ArrowField field) {
    return field.dtype() != null && ArrowColumn.isFloat(field.dtype());
  }

  /** Returns the columns with nulls, according to the nodes of all record batches. */
  private static Set<String> nullable(ArrowMessages messages, Map<String, Integer> columns)
      throws IOException {
    Set<String> found = new HashSet<>();
    ArrowMessages.Message message;
    while ((message = messages.next()) != null) {
      if (message.kind() == ArrowMessages.RECORD_BATCH) {
        FlatTable.Vector nodes = message.header().vector(NODES, STRUCT_BYTES);
        for (Map.Entry<String, Integer> column : columns.entrySet()) {
          long node = column.getValue();
          if (node < nodes.count() && nodes.i64(2 * node + 1) > 0) {
            found.add(column.getKey());
          }
        }
      }
    }
    return found;
  }

  private static Set<String> inOrder(List<ArrowField> fields, Set<String> some, Set<String> more) {
    Set<String> names = new LinkedHashSet<>();
    for (ArrowField field : fields) {
      if (some.contains(field.name()) || more.contains(field.name())) {
        names.add(field.name());
      }
    }
    return names;
  }
}
