package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrow.file.ArrowColumn.Level;
import org.saevhadoop.format.arrow.file.ArrowColumn.Node;
import org.saevhadoop.format.arrow.file.ArrowColumn.Region;
import org.saevhadoop.format.flatbuffer.FlatTable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.tensor.DType;

/**
 * Locates the columns of a record batch. Its nodes and buffers are listed in the order of the
 * fields, each before its children (Columnar.rst, "RecordBatch message"; the indexes are defined in
 * Message.fbs, Arrow 18).
 */
final class BatchColumns {
  private static final int LENGTH = 0;
  private static final int NODES = 1;
  private static final int BUFFERS = 2;
  private static final int COMPRESSION = 3;
  private static final int VARIADIC = 4;

  /** The size of a node or a buffer, each of which is a struct of two numbers. */
  private static final int STRUCT_BYTES = 2 * Long.BYTES;

  private static final int MAX_LEVELS = 8;
  private static final int MAX_SHOWN = 100;

  private final ArrowBodies bodies;
  private final ArrowReader.Names names;
  private final String path;
  private final ArrowMessages.Message message;
  private final @Nullable BodyCodec codec;
  private final FlatTable.Vector nodes;
  private final FlatTable.Vector buffers;
  private final FlatTable.Vector variadic;
  private final long rows;
  private final List<ArrowColumn> columns = new ArrayList<>();
  private final List<SampleColumn> samples = new ArrayList<>();
  private final List<Unread> unread;
  private long node;
  private long buffer;
  private long view;

  private BatchColumns(
      ArrowBodies bodies,
      ArrowReader.Names names,
      ArrowMessages.Message message,
      List<Unread> unread)
      throws IOException {
    this.bodies = bodies;
    this.names = names;
    this.path = bodies.file().path();
    this.message = message;
    this.unread = unread;
    FlatTable header = message.header();
    this.codec = bodies.codec(header.table(COMPRESSION));
    this.rows = header.i64(LENGTH);
    this.nodes = header.vector(NODES, STRUCT_BYTES);
    this.buffers = header.vector(BUFFERS, STRUCT_BYTES);
    this.variadic = header.vector(VARIADIC, Long.BYTES);
    ArrowError.BAD_BATCH.check(
        rows >= 0, path, "has a record batch of %d rows, at byte %d", rows, message.body());
  }

  /** A column that is not read. */
  record Unread(String name, String type) {
    /** Returns the name and the type for messages. */
    @Override
    public String toString() {
      return "%s (%s)".formatted(Quote.show(name, MAX_SHOWN), type);
    }
  }

  /**
   * A record batch.
   *
   * @param columns the columns of numbers, or of lists of numbers
   * @param samples the columns that are fields of sample metadata
   */
  record Batch(long rows, List<ArrowColumn> columns, List<SampleColumn> samples) {
    /**
     * Returns the number of rows in the file up to the end of the batch.
     *
     * @param before the number of rows in the file before the batch
     */
    long end(String path, long before) throws FormatException {
      ArrowError.BAD_BATCH.check(
          rows <= Long.MAX_VALUE - before,
          path,
          "has a record batch of %d rows after %d (expected at most %d in a file)",
          rows,
          before,
          Long.MAX_VALUE);
      return before + rows;
    }
  }

  /**
   * A column whose values are fields of sample metadata, dictionary indexes or dictionary values.
   *
   * @param buffers the locations of the buffers after the validity bitmap
   */
  record SampleColumn(String name, ArrowScalar type, Node node, List<Region> buffers) {}

  /**
   * Locates columns.
   *
   * @param names the columns to read if values must be unpacked
   * @param samples the names of the columns that are fields of sample metadata
   * @param unread accepts other columns
   */
  static Batch of(
      ArrowBodies bodies,
      List<ArrowField> fields,
      ArrowReader.Names names,
      Set<String> samples,
      ArrowMessages.Message message,
      List<Unread> unread)
      throws IOException {
    BatchColumns found = new BatchColumns(bodies, names, message, unread);
    for (ArrowField field : fields) {
      if (field.scalar() != null && samples.contains(field.name())) {
        found.addSample(
            field.name(), field.encoding() == null ? field.scalar() : field.encoding().index());
      } else if (Dictionaries.hasIntegers(field, names)) {
        found.addIndexes(field);
      } else {
        found.add(field.name(), field, List.of());
      }
    }
    return new Batch(found.rows, found.columns, found.samples);
  }

  /**
   * Locates the values of a dictionary.
   *
   * @param message the dictionary batch, with the header of its record batch
   */
  static SampleColumn ofDictionary(
      ArrowBodies bodies,
      ArrowReader.Names names,
      String name,
      ArrowScalar type,
      ArrowMessages.Message message)
      throws IOException {
    BatchColumns found = new BatchColumns(bodies, names, message, new ArrayList<>());
    found.addSample(name, type);
    return found.samples.get(0);
  }

  /** Returns whether the body of a record batch is compressed. */
  static boolean isPacked(ArrowMessages.Message batch) throws IOException {
    return batch.header().has(COMPRESSION);
  }

  private Node node(long length) throws IOException {
    ArrowError.BAD_BATCH.check(
        node < nodes.count(),
        path,
        "has a record batch of %d nodes, at byte %d (expected one for each field)",
        nodes.count(),
        message.body());
    long own = nodes.i64(2 * node);
    long nulls = nodes.i64(2 * node + 1);
    node++;
    ArrowError.BAD_BATCH.check(
        own >= 0 && (length < 0 || own == length) && nulls >= 0 && nulls <= own,
        path,
        "has a node of %d elements and %d nulls, at byte %d (expected %s)",
        own,
        nulls,
        message.body(),
        length < 0 ? "as many elements as in its lists" : Long.toString(length));
    return new Node(own, nulls, new Region(0, 0));
  }

  private Region buffer() throws IOException {
    ArrowError.BAD_BATCH.check(
        buffer < buffers.count(),
        path,
        "has a record batch of %d buffers, at byte %d (expected those of each field)",
        buffers.count(),
        message.body());
    long offset = buffers.i64(2 * buffer);
    long length = buffers.i64(2 * buffer + 1);
    buffer++;
    ArrowError.BAD_BATCH.check(
        offset >= 0
            && length >= 0
            && offset <= message.length()
            && length <= message.length() - offset,
        path,
        "has a buffer of %d bytes at %d in a body of %d bytes, at byte %d",
        length,
        offset,
        message.length(),
        message.body());
    return new Region(message.body() + offset, length);
  }

  /** Returns the location of the content of the next buffer. */
  private Region content() throws IOException {
    return bodies.region(codec, buffer());
  }

  private Node withValidity(Node of) throws IOException {
    return new Node(of.length(), of.nulls(), content());
  }

  /** Adds the numbers of a column, or of the columns of a struct. */
  private void add(String name, ArrowField field, List<Node> structs) throws IOException {
    if (field.type() == ArrowType.STRUCT && !field.isEncoded() && field.extension().isEmpty()) {
      List<Node> all = new ArrayList<>(structs);
      all.add(withValidity(node(rows)));
      for (ArrowField child : field.children()) {
        add(name + "." + child.name(), child, all);
      }
      return;
    }
    List<ArrowField> path = new ArrayList<>();
    ArrowField innermost = field;
    while (innermost.type().isList() && !innermost.isEncoded()) {
      path.add(innermost);
      innermost = innermost.children().get(0);
    }
    List<Long> shape = ExtensionShape.of(this.path, field);
    DType dtype = innermost.dtype();
    ArrowError.UNSUPPORTED.check(
        !innermost.isEncoded() || !names.isMask(name),
        this.path,
        "column %s is a dictionary-encoded mask (expected plain integers: rewrite the column after"
            + " table.column(name).cast(pyarrow.int8()), or --no-sample-metadata, which ignores the"
            + " mask)",
        Quote.show(name, MAX_SHOWN));
    ArrowError.UNSUPPORTED.check(
        dtype != DType.BOOL || !names.isNamed(name) || names.isOfTokens(name),
        this.path,
        "column %s holds booleans, which are single bits (expected numbers in lists: write the"
            + " column again as uint8)",
        Quote.show(name, MAX_SHOWN));
    if (dtype == null || innermost.isEncoded() || path.size() > MAX_LEVELS || shape == null) {
      unread.add(new Unread(name, ExtensionShape.describe(field, innermost)));
      skip(field);
      return;
    }
    if (codec != null && ArrowColumn.isFloat(dtype) && !names.isMain(name, dtype)) {
      unread.add(new Unread(name, "not named as vectors"));
      skip(field);
      return;
    }
    List<Level> levels = new ArrayList<>();
    long length = rows;
    for (ArrowField list : path) {
      Node own = withValidity(node(length));
      int width =
          switch (list.type()) {
            case LIST -> Integer.BYTES;
            case LARGE_LIST -> Long.BYTES;
            default -> 0;
          };
      ArrowError.BAD_BATCH.check(
          width > 0 || list.size() > 0,
          this.path,
          "column %s has lists of %d elements (expected at least 1)",
          Quote.show(name, MAX_SHOWN),
          list.size());
      levels.add(new Level(own, list.size(), width, width == 0 ? own.validity() : content()));
      length = -1;
    }
    Node leaf = withValidity(node(length));
    columns.add(new ArrowColumn(name, dtype, structs, levels, shape, leaf, content(), null));
  }

  /** Adds the integers of a column that are stored as indexes of a dictionary. */
  private void addIndexes(ArrowField field) throws IOException {
    Node leaf = withValidity(node(rows));
    columns.add(
        new ArrowColumn(
            field.name(),
            Objects.requireNonNull(field.dtype()),
            List.of(),
            List.of(),
            List.of(),
            leaf,
            content(),
            Objects.requireNonNull(field.encoding()).index()));
  }

  private void addSample(String name, ArrowScalar type) throws IOException {
    Node own = withValidity(node(rows));
    List<Region> regions = new ArrayList<>();
    long count = type.type().buffers() - 1 + (type.type().isView() ? viewBuffers() : 0);
    for (long i = 0; i < count; i++) {
      regions.add(content());
    }
    samples.add(new SampleColumn(name, type, own, regions));
  }

  /** Returns the number of data buffers of the next column of views. */
  private long viewBuffers() throws IOException {
    long more = view < variadic.count() ? variadic.i64(view++) : -1;
    ArrowError.BAD_BATCH.check(
        more >= 0 && more <= buffers.count() - buffer,
        path,
        "has a column of views with %d buffers, at byte %d",
        more,
        message.body());
    return more;
  }

  /** Skips the nodes and buffers of a field and its children. */
  private void skip(ArrowField field) throws IOException {
    node(-1);
    int own = field.type().buffers();
    if (field.isEncoded()) {
      own = ArrowType.INT.buffers();
    } else if (field.type() == ArrowType.UNION) {
      own += (int) field.size() + (message.version() < ArrowMessages.V5 ? 1 : 0);
    }
    for (int i = 0; i < own; i++) {
      buffer();
    }
    if (field.isEncoded()) {
      return;
    }
    if (field.type().isView()) {
      buffer += viewBuffers();
    }
    for (ArrowField child : field.children()) {
      skip(child);
    }
  }
}
