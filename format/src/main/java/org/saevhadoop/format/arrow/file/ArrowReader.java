package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.PaddingMarks;

/** Reads Arrow files; their columns are arrays with the rows as their first dimension. */
public final class ArrowReader implements ArrayReader {
  private static final Set<String> ENDINGS = Set.of("arrow", "arrows", "feather", "ipc");

  /** The number of bytes of a {@link #tail}. */
  static final int TAIL_BYTES = Long.BYTES;

  private final Names names;
  private final Bodies bodies;

  /**
   * The columns that must be readable and that divide rows into runs.
   *
   * @param vectors the patterns of the names of the vectors; empty if all floats may be vectors
   * @param tokens the names of token ids, masks and labels that must not be left out
   * @param row the meaning of a row, which decides whether other columns are sample metadata
   * @param scalars the names of columns that are sample metadata in some of the files, and
   *     therefore in all
   */
  public record Names(List<NamePattern> vectors, Set<String> tokens, Row row, Set<String> scalars) {
    public Names {
      vectors = List.copyOf(vectors);
      tokens = Set.copyOf(tokens);
      scalars = Set.copyOf(scalars);
    }

    Names(List<NamePattern> vectors, Set<String> tokens, Row row) {
      this(vectors, tokens, row, Set.of());
    }

    /** Returns whether the user has named a column as vectors. */
    boolean isNamed(String column) {
      return vectors.stream().anyMatch(name -> name.match(column).isPresent());
    }

    boolean isMain(ArrowColumn column) {
      return isMain(column.name(), column.dtype());
    }

    boolean isMain(String column, DType dtype) {
      return isNamed(column) || vectors.isEmpty() && ArrowColumn.isFloat(dtype);
    }

    boolean isOfTokens(ArrowColumn column) {
      return isOfTokens(column.name());
    }

    boolean isOfTokens(String column) {
      return tokens.contains(column)
          || tokens.contains(column.substring(column.lastIndexOf('.') + 1));
    }

    boolean isMask(String column) {
      return isOfTokens(column)
          && PaddingMarks.MASKS.contains(column.substring(column.lastIndexOf('.') + 1));
    }

    boolean mustRead(ArrowColumn column) {
      return isMain(column) || isOfTokens(column);
    }
  }

  /** The meaning of a row. */
  public enum Row {
    /** Not an example, or an example whose other columns are not read. */
    OTHER,
    /** An example of one token. */
    TOKEN,
    /** An example of several tokens. */
    TOKENS,
    /** An example; it has several tokens if a column has floats in lists of lists. */
    EXAMPLE
  }

  /** Ways to read compressed bodies of record batches. */
  public enum Bodies {
    /** Compressed bodies are not read; all values are read in place. */
    IN_PLACE,
    /**
     * Each buffer is read from its beginning, which suffices for offsets of lists and for masks.
     */
    PACKED,
    /**
     * The bytes after the file are read: the output of {@link #unpack}, followed by {@link #tail}.
     */
    STAGED
  }

  /** Accepts bytes. */
  @FunctionalInterface
  public interface Sink {
    void accept(ByteBuffer bytes) throws IOException;
  }

  /** Creates a reader. */
  public ArrowReader(Names names, Bodies bodies) {
    this.names = names;
    this.bodies = bodies;
  }

  @Override
  public boolean isNamed(String file) {
    return ENDINGS.contains(file.substring(file.lastIndexOf('.') + 1)) && file.indexOf('.') >= 0;
  }

  @Override
  public ArrayFile read(Folder folder, String file) throws IOException {
    try (Input in = folder.open(file);
        ArrowBodies own = ArrowBodies.of(in, bodies)) {
      return new ArrowContent(own, names).read();
    }
  }

  /**
   * {@inheritDoc} Positions of booleans are counted in bits, because each boolean is a single bit.
   * Positions of integers in a dictionary refer to the decoded integers of all rows.
   */
  @Override
  public Input elements(Folder folder, String path, String array) throws IOException {
    Input file = ArrayFiles.open(folder, path);
    try {
      ArrowBodies own = ArrowBodies.of(file, bodies);
      ArrowField column = ArrowSchema.columns(own.file()).get(array);
      if (column != null && Dictionaries.hasIntegers(column, names)) {
        return EncodedIntegers.open(own, names, column);
      }
      boolean isBits = column != null && column.innermost().type() == ArrowType.BOOL;
      if (bodies == Bodies.PACKED && isPacked(file)) {
        new ArrowContent(own, names).locate(0, Integer.MAX_VALUE);
      }
      return isBits ? new BitInput(own.values()) : own.values();
    } catch (IOException | RuntimeException e) {
      try (file) {
        throw e;
      }
    }
  }

  @Override
  public Optional<SampleMetadata> samples(Folder folder, String path) throws IOException {
    return sampleFields(folder, path).isEmpty()
        ? Optional.empty()
        : Optional.of(
            (first, count) -> SampleRows.open(ArrayFiles.open(folder, path), this, first, count));
  }

  /** Checks the sample metadata of a file by reading all of it. */
  public void checkSamples(Folder folder, String path) throws IOException {
    SampleMetadata samples = samples(folder, path).orElse(SampleMetadata.NONE);
    try (SampleMetadataCursor cursor = samples.cursor(0, Long.MAX_VALUE)) {
      while (cursor.next() != null) {
        continue;
      }
    }
  }

  @Override
  public List<String> sampleFields(Folder folder, String path) throws IOException {
    try (Input in = ArrayFiles.open(folder, path);
        ArrowBodies own = ArrowBodies.of(in, bodies)) {
      return List.copyOf(SampleFields.of(own.file(), names));
    }
  }

  public Names names() {
    return names;
  }

  /** Returns the way to read sample metadata: in place, unless it was unpacked. */
  Bodies sampleBodies() {
    return bodies == Bodies.STAGED ? bodies : Bodies.IN_PLACE;
  }

  /**
   * Returns whether the first record batch of a file (and therefore each one), or a dictionary
   * before it, is compressed.
   */
  public static boolean isPacked(Input file) throws IOException {
    ArrowMessages messages = new ArrowMessages(file);
    ArrowMessages.Message message;
    while ((message = messages.next()) != null) {
      if (message.kind() == ArrowMessages.RECORD_BATCH) {
        return BatchColumns.isPacked(message);
      }
      if (Dictionaries.isPacked(message)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the lengths of the record batches in bytes, in their order. */
  public static List<Long> batches(Input file) throws IOException {
    List<Long> batches = new ArrayList<>();
    ArrowMessages messages = new ArrowMessages(file);
    ArrowMessages.Message message;
    while ((message = messages.next()) != null) {
      if (message.kind() == ArrowMessages.RECORD_BATCH) {
        batches.add(message.length());
      }
    }
    return batches;
  }

  /**
   * Decompresses the compressed buffers of record batches to a sink.
   *
   * @param first the index of the first record batch
   * @param end the index of the record batch after the last one
   */
  public void unpack(Input file, int first, int end, Sink out) throws IOException {
    PackedBuffers packed = new PackedBuffers(file);
    new ArrowContent(new ArrowBodies(file, packed, packed), names).locate(first, end);
    packed.unpack(out);
  }

  /**
   * Returns the bytes that follow a file and the content of its buffers, namely the length of the
   * file.
   */
  public static ByteBuffer tail(long length) {
    return ByteBuffer.allocate(TAIL_BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(length).flip();
  }

  /** Returns the number of dimensions of each column, including the rows. */
  public static Map<String, Integer> ranks(Input file) throws IOException {
    Map<String, Integer> ranks = new HashMap<>();
    ArrowSchema.columns(file).forEach((name, column) -> ranks.put(name, 1 + column.rank()));
    return ranks;
  }
}
