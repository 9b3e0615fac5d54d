package org.saevhadoop.format.arrays.columns;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/**
 * Per-token integers that are columns of a table.
 *
 * @param columns the indexes of I64 columns with shape {@code [token]}
 */
record ColumnTokens(TableDataset table, List<Integer> columns, int tokens) implements TokenArrays {
  @Override
  public List<String> names() {
    return columns.stream().map(column -> table.table().columns().get(column).name()).toList();
  }

  @Override
  public TokenReader open() {
    List<ColumnLabels> readers = new ArrayList<>();
    columns.forEach(column -> readers.add(new ColumnLabels(table, column)));
    return new TokenReader() {
      @Override
      public void read(int array, long first, LongBuffer dst) throws IOException {
        ByteBuffer bytes =
            ByteBuffer.allocate(dst.remaining() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        readers.get(array).read(first, bytes);
        dst.put(bytes.flip().asLongBuffer());
      }

      @Override
      public void close() throws IOException {
        for (ColumnLabels reader : readers) {
          reader.close();
        }
      }
    };
  }
}
