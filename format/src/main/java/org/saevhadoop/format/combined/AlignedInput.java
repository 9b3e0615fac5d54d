package org.saevhadoop.format.combined;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.reader.block.Gather;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;

/**
 * Blocks of consecutive examples of a data file, presented as a file with an {@link AlignedLayout}:
 * without gaps between tokens, and in types that represent the values exactly.
 */
final class AlignedInput implements Input.Filter {
  private static final int CHUNK_BYTES = 64 << 10;

  private final Input file;
  private final AlignedLayout layout;
  private final BlockOffsets placement;
  private final long start;
  private final List<Column> columns;

  /** The conversion of each column; null if its values are not converted. */
  private final @Nullable DTypeConversion[] conversions;

  /** The ranges of bytes of a stored block, relative to its start; empty if it has no gaps. */
  private final List<IndexRange> runs;

  private final Gather gather = new Gather();

  /** Values before and after conversion; empty if no values are converted. */
  private final ByteBuffer stored;

  private final ByteBuffer converted;

  /**
   * Creates a view of a file; closing the view closes the file.
   *
   * @param slice the examples
   */
  private AlignedInput(TableDataset source, ShardSlice slice, Input file, AlignedLayout layout)
      throws IOException {
    this.file = file;
    this.layout = layout;
    this.placement = source.placement(slice.index(), file);
    this.start = slice.start();
    this.columns = source.table().columns();
    this.conversions = new DTypeConversion[columns.size()];
    for (int i = 0; i < conversions.length; i++) {
      DType from = columns.get(i).dtype();
      DType to = layout.table().columns().get(i).dtype();
      conversions[i] = from == to ? null : DTypeConversion.of(from, to);
    }
    int chunk = Arrays.stream(conversions).allMatch(Objects::isNull) ? 0 : CHUNK_BYTES;
    this.stored = ByteBuffer.allocate(chunk);
    this.converted = ByteBuffer.allocate(chunk * Long.BYTES); // from U8 to F64
    this.runs = source instanceof ActivationDataset activations ? runs(activations) : List.of();
  }

  /** Opens examples of a data file. */
  static Input open(TableDataset source, ShardSlice slice, AlignedLayout layout)
      throws IOException {
    Input file = source.folder().open(slice.shard().name());
    try {
      return new AlignedInput(source, slice, file, layout);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static List<IndexRange> runs(ActivationDataset source) {
    List<IndexRange> tokens = source.tokenRuns();
    long bytes = source.geometry().vectorBytes();
    long first = tokens.get(0).start();
    return tokens.size() == 1
        ? List.of()
        : tokens.stream()
            .map(run -> new IndexRange((run.start() - first) * bytes, (run.stop() - first) * bytes))
            .toList();
  }

  @Override
  public Input file() {
    return file;
  }

  @Override
  public long length() {
    return layout.length();
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.checkRead(this, position, dst);
    gather.into(dst);
    long at = position;
    for (int left = dst.remaining(); left > 0; ) {
      AlignedLayout.Place place = layout.at(at);
      int some = (int) Math.min(left, layout.table().blockBytes(place.column()) - place.offset());
      DTypeConversion conversion = conversions[place.column()];
      if (conversion == null) {
        add(place.example(), place.column(), place.offset(), some);
      } else {
        gather.finish();
        convert(place, some, conversion, dst);
        gather.into(dst);
      }
      at += some;
      left -= some;
    }
    gather.finish();
  }

  /** Adds bytes of a stored block to the bytes to be read. */
  private void add(long example, int column, long from, int length) throws IOException {
    long block = placement.offset(start + example, column);
    if (runs.isEmpty()) {
      gather.add(file, block + from, length);
      return;
    }
    long skipped = from;
    long left = length;
    for (IndexRange run : runs) {
      long some = Math.min(left, run.length() - skipped);
      if (some > 0) {
        gather.add(file, block + run.start() + skipped, (int) some);
        left -= some;
      }
      skipped = Math.max(0, skipped - run.length());
    }
  }

  /** Appends bytes of a converted block; the first and the last byte may lie inside an element. */
  private void convert(
      AlignedLayout.Place place, int length, DTypeConversion conversion, ByteBuffer dst)
      throws IOException {
    int width = conversion.to().bits() / Byte.SIZE;
    int storedWidth = conversion.from().bits() / Byte.SIZE;
    long element = place.offset() / width;
    int skipped = (int) (place.offset() % width);
    for (int left = length; left > 0; ) {
      int count =
          (int) Math.min(stored.capacity() / storedWidth, ((long) skipped + left - 1) / width + 1);
      gather.into(stored.clear());
      add(place.example(), place.column(), element * storedWidth, count * storedWidth);
      gather.finish();
      conversion.convert(stored.flip(), converted.clear());
      int some = Math.min(left, count * width - skipped);
      dst.put(converted.array(), skipped, some);
      left -= some;
      element += count;
      skipped = 0;
    }
  }
}
