package org.saevhadoop.format.parquet.layers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.parquet.file.MemoryAccount;

/** Stages a row group and sorts its rows by layer, example and token. */
public final class LayerGroup {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Input in;
  private final LayerColumns columns;
  private final int group;
  private final MemoryAccount memory = RowNumbers.account();
  private final long[] layers;
  private final long[] examples;
  private final long[] tokens;

  /** The numbers that accompany rows: the label and the per-token integers. */
  private final List<long[]> numbers = new ArrayList<>();

  private LayerGroup(Input in, LayerColumns columns, int group) throws IOException {
    this.in = in;
    this.columns = columns;
    this.group = group;
    this.layers = read(columns.layer());
    this.examples = allocate();
    this.tokens = allocate();
    allocate(); // charges the memory of the row indexes
    Arrays.setAll(examples, i -> i);
  }

  /** Reads the numbers of the rows of a row group. */
  public static LayerGroup read(Input in, LayerColumns columns, int group) throws IOException {
    LayerGroup read = new LayerGroup(in, columns, group);
    if (columns.example().isPresent()) {
      read.readInto(columns.example().getAsInt(), read.examples);
    }
    if (columns.token().isPresent()) {
      read.readInto(columns.token().getAsInt(), read.tokens);
    }
    read.numbers.add(read.travelling(columns.label().orElse(-1)));
    for (int column : columns.integers()) {
      read.numbers.add(read.travelling(column));
    }
    return read;
  }

  private long[] allocate() throws IOException {
    return RowNumbers.allocate(in, columns, group, memory);
  }

  private long[] read(int column) throws IOException {
    RowNumbers read = RowNumbers.read(in, columns, group, column, memory);
    read.check(Long.MAX_VALUE, in.path(), columns, group);
    return read.values();
  }

  private void readInto(int column, long[] target) throws IOException {
    int[] next = {0};
    columns.read(in, group, column, LayerColumns.ABSENT, number -> target[next[0]++] = number);
    new RowNumbers(column, target).check(Long.MAX_VALUE, in.path(), columns, group);
  }

  /**
   * Returns the numbers of a column, with -1 for nulls; all numbers are -1 if there is no such
   * column.
   */
  private long[] travelling(int column) throws IOException {
    if (column < 0) {
      long[] none = allocate();
      Arrays.fill(none, -1);
      return none;
    }
    return RowNumbers.read(in, columns, group, column, -1, memory).values();
  }

  /**
   * Writes the vectors and the numbers of the rows.
   *
   * @param path the path of the Parquet file, relative to the folder of the dataset
   * @param vectors the name of the file for the vectors
   * @param keys the name of the file for the numbers
   * @return the rows of each layer
   */
  public List<LayerRun> write(
      String path, String vectors, Output vectorsOut, String keys, Output keysOut, Path localFolder)
      throws IOException {
    RowSorting order = new RowSorting(layers, examples, tokens);
    int[] sorted = order.indexes();
    List<LayerRun> runs = runs(path, sorted, vectors, vectorsOut.position(), keys, keysOut);
    writeKeys(sorted, keysOut);
    if (order.isSorted()) {
      columns.readVectors(in, group, vectorsOut::write);
      return runs;
    }
    try (LocalSpool spool = LocalSpool.temporary(localFolder)) {
      columns.readVectors(in, group, spool::append);
      writeSorted(spool, sorted, vectorsOut);
    }
    return runs;
  }

  private List<LayerRun> runs(
      String path, int[] sorted, String vectors, long vectorOffset, String keys, Output keysOut) {
    int keyBytes = (3 + numbers.size()) * Long.BYTES;
    List<LayerRun> runs = new ArrayList<>();
    for (int begin = 0, i = 1; i <= sorted.length; i++) {
      if (i == sorted.length || layers[sorted[i]] != layers[sorted[begin]]) {
        runs.add(
            new LayerRun(
                path,
                group,
                (int) layers[sorted[begin]],
                i - begin,
                examples[sorted[begin]],
                tokens[sorted[begin]],
                vectors,
                vectorOffset + begin * columns.rowBytes(),
                keys,
                keysOut.position() + (long) begin * keyBytes,
                columns.integerNames()));
        begin = i;
      }
    }
    return runs;
  }

  private void writeKeys(int[] sorted, Output out) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long firstRow = columns.footer().rowsBefore(group);
    int bytes = (3 + numbers.size()) * Long.BYTES;
    for (int row : sorted) {
      if (buffer.remaining() < bytes) {
        out.write(buffer.flip());
        buffer.clear();
      }
      buffer.putLong(examples[row]).putLong(tokens[row]).putLong(firstRow + row);
      numbers.forEach(own -> buffer.putLong(own[row]));
    }
    out.write(buffer.flip());
  }

  private void writeSorted(LocalSpool spool, int[] sorted, Output out) throws IOException {
    long bytes = columns.rowBytes();
    ByteBuffer buffer = Input.buffer((int) Math.min(BUFFER_BYTES, bytes * sorted.length));
    for (int begin = 0, end = 1; begin < sorted.length; begin = end, end++) {
      while (end < sorted.length && sorted[end] == sorted[end - 1] + 1) {
        end++;
      }
      long from = sorted[begin] * bytes;
      long left = (end - begin) * bytes;
      while (left > 0) {
        if (!buffer.hasRemaining()) {
          out.write(buffer.flip());
          buffer.clear();
        }
        int some = (int) Math.min(left, buffer.remaining());
        spool.read(from, buffer.slice(buffer.position(), some));
        buffer.position(buffer.position() + some);
        from += some;
        left -= some;
      }
    }
    out.write(buffer.flip());
  }
}
