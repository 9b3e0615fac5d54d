package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrow.file.ArrowColumn.Region;
import org.saevhadoop.format.arrow.file.BatchColumns.SampleColumn;
import org.saevhadoop.format.flatbuffer.FlatTable;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/**
 * The dictionaries of the columns that are read, as of the last message processed. In a stream, a
 * dictionary can be replaced; in both forms, it can be extended (Columnar.rst, "Dictionary
 * Messages"; the indexes are defined in Message.fbs, Arrow 18).
 */
final class Dictionaries {
  private static final int ID = 0;
  private static final int DATA = 1;
  private static final int IS_DELTA = 2;

  /** The maximum size of all dictionaries, which are held in memory. */
  static final long MAX_BYTES = 32 << 20;

  private static final int MAX_PARTS = 1 << 16;
  private static final int MAX_SHOWN = 100;

  private final ArrowBodies bodies;
  private final ArrowReader.Names names;
  private final boolean isFile;
  private final Map<String, ArrowField> columns = new HashMap<>();
  private final Map<Long, Dictionary> current = new HashMap<>();

  /** A value in a part of a dictionary. */
  record Entry(SampleValues part, long at) {}

  /** The values of a dictionary batch, which follow the values of the batches that it extends. */
  private record Part(long first, SampleValues values) {}

  /**
   * A dictionary.
   *
   * @param parts the parts of the dictionary, followed by parts that extend it later
   * @param count the number of parts that belong to this dictionary
   * @param size the number of values
   */
  record Dictionary(List<Part> parts, int count, long size, long bytes) {
    static final Dictionary NONE = new Dictionary(List.of(), 0, 0, 0);

    /** Returns the value at an index; null if there is none. */
    @Nullable Entry entry(long index) {
      if (index < 0 || index >= size) {
        return null;
      }
      Part part = parts.get(AscendingSearch.lastAtMost(count, i -> parts.get(i).first, index));
      return new Entry(part.values, index - part.first);
    }

    /** Releases the memory of the values until they are read again. */
    void release() {
      parts.forEach(part -> part.values.release());
    }
  }

  /**
   * Creates empty dictionaries.
   *
   * @param samples the names of the columns that are fields of sample metadata
   */
  Dictionaries(
      ArrowBodies bodies,
      ArrowReader.Names names,
      List<ArrowField> fields,
      Set<String> samples,
      boolean isFile) {
    this.bodies = bodies;
    this.names = names;
    this.isFile = isFile;
    for (ArrowField field : fields) {
      if (field.isEncoded() && (samples.contains(field.name()) || hasIntegers(field, names))) {
        columns.put(field.name(), field);
      }
    }
  }

  /**
   * Returns whether a column contains per-token integers, such as labels, that are stored in a
   * dictionary.
   */
  static boolean hasIntegers(ArrowField field, ArrowReader.Names names) {
    return field.isEncoded()
        && field.type() == ArrowType.INT
        && field.dtype() != null
        && field.extension().isEmpty()
        && !names.isNamed(field.name())
        && names.isOfTokens(field.name());
  }

  /** Returns whether a message is a dictionary whose values are compressed. */
  static boolean isPacked(ArrowMessages.Message message) throws IOException {
    return message.kind() == ArrowMessages.DICTIONARY_BATCH
        && BatchColumns.isPacked(message.with(values(message)));
  }

  private static FlatTable values(ArrowMessages.Message message) throws IOException {
    FlatTable data = message.header().table(DATA);
    if (data == null) {
      throw ArrowError.BAD_METADATA.in(
          message.header().bytes().path(),
          "has a dictionary without values, at byte %d",
          message.body());
    }
    return data;
  }

  /** Processes the dictionary in a message, if it is the dictionary of a column that is read. */
  void accept(ArrowMessages.Message message) throws IOException {
    if (message.kind() != ArrowMessages.DICTIONARY_BATCH) {
      return;
    }
    long id = message.header().i64(ID);
    List<ArrowField> fields =
        columns.values().stream()
            .filter(field -> Objects.requireNonNull(field.encoding()).id() == id)
            .toList();
    if (fields.isEmpty()) {
      return;
    }
    ArrowField field = fields.get(0);
    ArrowScalar type = Objects.requireNonNull(field.scalar());
    Dictionary before = current.get(id);
    boolean isDelta = message.header().i8(IS_DELTA) != 0;
    ArrowError.BAD_BATCH.check(
        isDelta || before == null || !isFile,
        bodies.file().path(),
        "column %s has two dictionaries (expected one per file, which later batches may extend)",
        Quote.show(field.name(), MAX_SHOWN));
    for (ArrowField other : fields) {
      ArrowError.BAD_METADATA.check(
          type.equals(other.scalar()),
          bodies.file().path(),
          "columns %s and %s share a dictionary (expected values of one type)",
          Quote.show(field.name(), MAX_SHOWN),
          Quote.show(other.name(), MAX_SHOWN));
    }
    SampleColumn values =
        BatchColumns.ofDictionary(bodies, names, field.name(), type, message.with(values(message)));
    Dictionary extended = isDelta && before != null ? before : Dictionary.NONE;
    List<Part> parts = extended == Dictionary.NONE ? new ArrayList<>() : extended.parts;
    check(field, values, extended, id);
    parts.add(
        new Part(extended.size, SampleValues.ofDictionary(bodies.values(), values, extended.size)));
    current.put(
        id,
        new Dictionary(
            parts,
            parts.size(),
            extended.size + values.node().length(),
            extended.bytes + bytes(values)));
  }

  private static long bytes(SampleColumn values) {
    return values.node().validity().length()
        + values.buffers().stream().mapToLong(Region::length).sum();
  }

  private void check(ArrowField field, SampleColumn values, Dictionary extended, long id)
      throws FormatException {
    long others =
        current.entrySet().stream()
            .filter(own -> own.getKey() != id)
            .mapToLong(own -> own.getValue().bytes)
            .sum();
    ArrowError.TOO_LARGE.check(
        bytes(values) <= MAX_BYTES - extended.bytes - others
            && values.node().length() <= MAX_BYTES - extended.size
            && extended.count < MAX_PARTS,
        bodies.file().path(),
        "column %s has a dictionary of %d bytes and %d values after %d values in %d parts (expected"
            + " dictionaries of at most %d bytes or values in at most %d parts: rewrite the column"
            + " after table.column(name).cast(pyarrow.string()), or --no-sample-metadata, which"
            + " ignores the column)",
        Quote.show(field.name(), MAX_SHOWN),
        bytes(values),
        values.node().length(),
        extended.size,
        extended.count,
        MAX_BYTES,
        MAX_PARTS);
  }

  /** Returns the dictionary of a column, empty if it is missing; null if the column has none. */
  @Nullable Dictionary of(String column) {
    ArrowField field = columns.get(column);
    return field == null
        ? null
        : current.getOrDefault(Objects.requireNonNull(field.encoding()).id(), Dictionary.NONE);
  }
}
