package org.saevhadoop.format.parquet.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.parquet.write.ColumnSchema.Form;
import org.saevhadoop.format.parquet.write.ColumnSchema.Physical;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.format.samples.TokenRange;

/**
 * The sample metadata of the examples in a row group: the JSON of each sample, stored once for all
 * its rows, and the position of the token of each row in its sample, if the position differs from
 * {@code token}.
 */
final class SampleColumns {
  private static final ColumnSchema SAMPLE =
      new ColumnSchema("sample", Physical.BYTE_ARRAY, Form.OPTIONAL);

  /** 1 if the example is a whole sample, even though it has only one token. */
  private static final ColumnSchema WHOLE =
      new ColumnSchema("whole", Physical.INT32, Form.REQUIRED);

  private final SampleMetadata metadata;
  private final int tokens;
  private final int exampleRows;
  private final ColumnSchema position;
  private final Path localFolder;

  SampleColumns(ParquetWritePlan plan, Path localFolder) {
    this.metadata = plan.sampleMetadata();
    this.tokens = plan.geometry().tokens();
    this.exampleRows = plan.exampleRows();
    this.position = position(plan);
    this.localFolder = localFolder;
  }

  /** Returns the columns of a dataset with sample metadata. */
  static List<ColumnSchema> schema(ParquetWritePlan plan) {
    return plan.geometry().tokens() == 1
        ? List.of(SAMPLE, position(plan), WHOLE)
        : List.of(SAMPLE, position(plan));
  }

  private static ColumnSchema position(ParquetWritePlan plan) {
    return plan.ofTokens("position", Physical.INT64, Form.OPTIONAL);
  }

  /** Consecutive examples of one sample, whose JSON text is in the dictionary. */
  private record Piece(long first, long end, long position, List<TokenRange> ranges, int entry) {}

  /** Writes the chunks of a row group. */
  List<WrittenChunk> write(
      Output out, PageCompression compression, long firstExample, long examples)
      throws IOException {
    List<Piece> pieces = new ArrayList<>();
    WrittenChunk samples;
    try (LocalSpool texts = LocalSpool.temporary(localFolder)) {
      int entries = read(firstExample, examples, texts, pieces);
      ChunkWriter chunk = new ChunkWriter(out, SAMPLE, PageCompression.NONE);
      if (entries > 0) {
        chunk.dictionary(entries, texts);
      }
      int rows = Math.toIntExact(examples * exampleRows);
      chunk.page(rows, rows, indexes(pieces, entries, firstExample, examples), null);
      samples = chunk.end();
    }
    List<WrittenChunk> chunks = new ArrayList<>(List.of(samples));
    long first = firstExample * tokens;
    long values = examples * tokens;
    chunks.add(
        new IntegerColumn(position, (layer, row, to, none) -> fill(pieces, row, to, none))
            .write(out, compression, 0, first, values));
    if (tokens == 1) {
      chunks.add(
          new IntegerColumn(WHOLE, (layer, row, to, none) -> fillWholes(pieces, row, to))
              .write(out, compression, 0, first, values));
    }
    return chunks;
  }

  /**
   * Reads the metadata of examples, writes each JSON text that differs from the previous one, and
   * returns the number of texts written.
   */
  private int read(long first, long examples, LocalSpool texts, List<Piece> pieces)
      throws IOException {
    int entries = 0;
    String last = null;
    try (SampleMetadataCursor cursor = metadata.cursor(first, examples)) {
      for (ExampleMetadata next = cursor.next(); next != null; next = cursor.next()) {
        ExampleMetadata part = next.part(first, first + examples);
        if (part == null) {
          continue;
        }
        if (!part.sample().equals(last)) {
          last = part.sample();
          byte[] text = Sidecar.oneLine(last).getBytes(StandardCharsets.UTF_8);
          ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
          texts.append(length.putInt(text.length).flip());
          texts.append(ByteBuffer.wrap(text));
          entries++;
        }
        pieces.add(
            new Piece(part.first(), part.end(), part.position(), part.tokens(), entries - 1));
      }
    }
    return entries;
  }

  private ByteBuffer indexes(List<Piece> pieces, int entries, long first, long examples) {
    int width = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, entries - 1));
    RunLengthEncoder definition = new RunLengthEncoder(1);
    RunLengthEncoder indexes = new RunLengthEncoder(width);
    long reached = first;
    for (Piece piece : pieces) {
      int rows = Math.toIntExact((piece.end - piece.first) * exampleRows);
      definition.add(0, Math.toIntExact((piece.first - reached) * exampleRows));
      definition.add(1, rows);
      indexes.add(piece.entry, rows);
      reached = piece.end;
    }
    definition.add(0, Math.toIntExact((first + examples - reached) * exampleRows));
    byte[] levels = definition.toBytes();
    byte[] values = indexes.toBytes();
    ByteBuffer page =
        ByteBuffer.allocate(Integer.BYTES + levels.length + 1 + values.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(levels.length)
            .put(levels);
    return entries == 0 ? page.flip() : page.put((byte) width).put(values).flip();
  }

  private void fill(List<Piece> pieces, long firstRow, long[] to, boolean[] isNull) {
    int at = 0;
    for (int i = 0; i < to.length; i++) {
      long example = (firstRow + i) / tokens;
      int token = (int) ((firstRow + i) % tokens);
      while (at < pieces.size() && pieces.get(at).end <= example) {
        at++;
      }
      Piece piece = at < pieces.size() && pieces.get(at).first <= example ? pieces.get(at) : null;
      long position = piece == null ? ExampleMetadata.WHOLE : position(piece, example, token);
      isNull[i] = position < 0;
      to[i] = Math.max(0, position);
    }
  }

  private static void fillWholes(List<Piece> pieces, long firstExample, long[] to) {
    for (Piece piece : pieces) {
      if (piece.position == ExampleMetadata.WHOLE
          && piece.first >= firstExample
          && piece.first < firstExample + to.length) {
        to[(int) (piece.first - firstExample)] = 1;
      }
    }
  }

  /**
   * Returns the position of a token in its sample; negative if the position equals the number of
   * the token.
   */
  private static long position(Piece piece, long example, int token) {
    if (piece.position != ExampleMetadata.WHOLE) {
      return piece.position + example - piece.first;
    }
    int left = token;
    for (TokenRange range : piece.ranges) {
      if (left < range.length()) {
        return range.start() + left;
      }
      left -= range.length();
    }
    return ExampleMetadata.WHOLE;
  }
}
