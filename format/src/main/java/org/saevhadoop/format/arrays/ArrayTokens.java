package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.PaddingMarks;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/**
 * Per-token integers that accompany the arrays of a dataset. Where a group lacks an array, its
 * values are {@link TokenArrays#PADDING}. The mask {@link PaddingMarks#NAME} is not stored: it
 * follows from the lengths of the examples.
 *
 * @param groups the group of arrays for each shard
 */
record ArrayTokens(
    Folder folder,
    List<String> names,
    int tokens,
    Shards shards,
    SurveyedGroups groups,
    RaggedPolicy ragged)
    implements TokenArrays {
  /** The maximum number of tokens of an example whose integers are read. */
  static final int MAX_TOKENS = 1 << 22;

  private static final int PIECE = 1 << 16;

  @Override
  public TokenReader open() {
    return new Reader();
  }

  private final class Reader implements TokenReader {
    private final Map<Integer, Input> open = new HashMap<>();
    private int shard = -1;

    @Override
    public void read(int array, long first, LongBuffer dst) throws IOException {
      for (ShardSlice slice : shards.slices(first, dst.remaining() / tokens)) {
        if (slice.index() != shard) {
          close();
          shard = slice.index();
        }
        ExampleGroup group = groups.get(shard);
        if (names.get(array).equals(PaddingMarks.NAME)) {
          mark(group, slice, dst);
          continue;
        }
        ArrayView view = group.fields().kept().get(names.get(array));
        if (view == null) {
          fill(PADDING, slice.examples() * tokens, dst);
          continue;
        }
        Input file = open.get(array);
        if (file == null) {
          file = view.integers(groups::elements, folder.path() + "/" + view.file());
          open.put(array, file);
        }
        Values values = new Values(file, view, dst);
        if (ragged.isFlattening()) {
          values.tokens(group, slice.start(), slice.examples());
        } else if (group.kept() == null && group.storedTokens() == tokens) {
          values.read(slice.start() * tokens, slice.examples() * tokens);
        } else {
          for (long i = 0; i < slice.examples(); i++) {
            values.example(group, slice.start() + i, tokens);
          }
        }
      }
    }

    private void mark(ExampleGroup group, ShardSlice slice, LongBuffer dst) {
      for (long i = slice.start(); i < slice.start() + slice.examples(); i++) {
        long present = ragged.isFlattening() ? tokens : Math.min(tokens, group.length(i));
        fill(PaddingMarks.TOKEN, present, dst);
        fill(PaddingMarks.MASKED, tokens - present, dst);
      }
    }

    @Override
    public void close() throws IOException {
      for (Input file : open.values()) {
        file.close();
      }
      open.clear();
    }
  }

  private static void fill(long value, long count, LongBuffer dst) {
    for (long i = 0; i < count; i++) {
      dst.put(value);
    }
  }

  /** Reads the next integer from a buffer. */
  static long next(ByteBuffer bytes, DType dtype) {
    return switch (dtype) {
      case BOOL, U8 -> Byte.toUnsignedLong(bytes.get());
      case I8 -> bytes.get();
      case U16 -> Short.toUnsignedLong(bytes.getShort());
      case I16 -> bytes.getShort();
      case U32 -> Integer.toUnsignedLong(bytes.getInt());
      case I32 -> bytes.getInt();
      default -> bytes.getLong();
    };
  }

  /** The integers of an array, as {@code [example, token]}. */
  private record Values(Input file, ArrayView view, LongBuffer dst) {
    /** Reads the integers of consecutive examples that have one token each. */
    void tokens(ExampleGroup group, long first, long count) throws IOException {
      KeptTokens kept = group.kept();
      if (kept == null) {
        read(first, count);
        return;
      }
      for (long done = 0; done < count; ) {
        IndexRange run = kept.from(first + done);
        long some = Math.min(run.length(), count - done);
        read(run.start(), some);
        done += some;
      }
    }

    /** Reads the integers of an example, truncated or padded to a number of tokens. */
    void example(ExampleGroup group, long example, long tokens) throws IOException {
      long missing = tokens;
      for (IndexRange run : group.ranges(example)) {
        long some = Math.min(missing, run.length());
        read(example * group.storedTokens() + run.start(), some);
        missing -= some;
      }
      fill(PADDING, missing, dst);
    }

    /** Reads consecutive integers. */
    void read(long first, long count) throws IOException {
      int width = view.width();
      for (long done = 0; done < count; ) {
        int some = (int) Math.min(PIECE, count - done);
        ByteBuffer bytes = ByteBuffer.allocate(some * width).order(ByteOrder.LITTLE_ENDIAN);
        file.readFully((first + done) * width, bytes);
        bytes.flip();
        while (bytes.hasRemaining()) {
          long value = next(bytes, view.dtype());
          if (value < 0 && view.dtype() == DType.U64) {
            throw tooLarge(value);
          }
          dst.put(value);
        }
        done += some;
      }
    }

    private FormatException tooLarge(long value) {
      return DatasetError.BAD_TOKEN_ARRAY.in(
          file.path(),
          "array %s has the integer %s (expected at most %d, or --no-sample-metadata, which ignores"
              + " the array)",
          Quote.show(view.array()),
          Long.toUnsignedString(value),
          Long.MAX_VALUE);
    }
  }

  /**
   * Labels that are stored as per-token integers.
   *
   * @param path the path of the dataset
   * @param name the name of the integers
   * @param patches the number of labels per example
   * @param integers the reader whose only array contains the labels
   */
  record Labels(String path, String name, int patches, TokenReader integers)
      implements PatchLabels {
    private static final int MAX_LABEL = 0xff;
    private static final int MAX_SHOWN = 100;

    @Override
    public void read(long first, ByteBuffer dst) throws IOException {
      int most = Math.max(1, PIECE / patches);
      for (long example = first; dst.hasRemaining(); ) {
        int some = Math.min(most, dst.remaining() / patches);
        LongBuffer numbers = LongBuffer.allocate(some * patches);
        integers.read(0, example, numbers);
        for (int i = 0; i < numbers.capacity(); i++) {
          long label = numbers.get(i);
          DatasetError.BAD_LABELS.check(
              label >= 0 && label <= MAX_LABEL,
              path,
              "%s has the label %d for token %d of example %d (expected 0 to %d)",
              Quote.show(name, MAX_SHOWN),
              label,
              i % patches,
              example + i / patches,
              MAX_LABEL);
          dst.put((byte) label);
        }
        example += some;
      }
    }

    @Override
    public void close() throws IOException {
      integers.close();
    }
  }
}
