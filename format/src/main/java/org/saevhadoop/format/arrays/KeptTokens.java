package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * The tokens that masks do not exclude from examples, as runs of consecutive tokens. No run extends
 * beyond the end of an example.
 */
final class KeptTokens {
  /** The maximum number of values that are read from a mask: more than the tokens of any file. */
  private static final long MAX_VALUES = 1L << 28;

  /** The maximum number of examples, which take 4 bytes each. */
  private static final long MAX_EXAMPLES = 1L << 24;

  /** The maximum number of runs, which take 16 bytes each. */
  private static final int MAX_RUNS = 1 << 22;

  private static final int PIECE_BYTES = 1 << 20;

  private final long tokens;

  /** The number of the first run of each example; the last element is the number of all runs. */
  private final int[] runs;

  /** The first token of each run, numbered across all examples. */
  private final long[] starts;

  /**
   * The number of kept tokens before each run; the last element is the number of all kept tokens.
   */
  private final long[] before;

  private KeptTokens(long tokens, int[] runs, long[] starts, long[] before) {
    this.tokens = tokens;
    this.runs = runs;
    this.starts = starts;
    this.before = before;
  }

  /**
   * Reads masks, all of the same shape: a token is kept if none of the masks is 0 for it.
   *
   * @return the kept tokens; null if all tokens are kept
   * @throws FormatException if the masks are too large
   */
  static @Nullable KeptTokens read(FileSource files, String path, List<ArrayView> masks)
      throws IOException {
    long examples = masks.isEmpty() ? 0 : masks.get(0).size(Axis.EXAMPLE);
    long tokens = masks.isEmpty() ? 0 : masks.get(0).size(Axis.TOKEN);
    if (examples == 0 || tokens == 0) {
      return null;
    }
    DatasetError.TOO_LARGE.check(
        examples <= Math.min(MAX_EXAMPLES, MAX_VALUES / tokens),
        path,
        "mask %s has %d examples of %d tokens (expected at most %d examples, and %d tokens in all)",
        masks.get(0),
        examples,
        tokens,
        MAX_EXAMPLES,
        MAX_VALUES);
    Builder builder = new Builder(path, (int) examples, tokens);
    List<Input> inputs = new ArrayList<>();
    try {
      for (ArrayView mask : masks) {
        inputs.add(mask.integers(files, path));
      }
      builder.read(masks, inputs);
    } finally {
      for (Input input : inputs) {
        input.close();
      }
    }
    return builder.isWhole() ? null : builder.build();
  }

  /** Opens a file with the elements of an array. */
  @FunctionalInterface
  interface FileSource {
    Input open(String file, String array) throws IOException;
  }

  private static final class Builder {
    private final String path;
    private final long tokens;
    private final int[] runs;
    private long[] starts = new long[16];
    private long[] ends = new long[16];
    private int count;

    /** The number of tokens processed so far. */
    private long position;

    private boolean isOpen;

    Builder(String path, int examples, long tokens) {
      this.path = path;
      this.tokens = tokens;
      this.runs = new int[examples + 1];
    }

    void read(List<ArrayView> masks, List<Input> inputs) throws IOException {
      long all = (runs.length - 1) * tokens;
      int atOnce = PIECE_BYTES / Long.BYTES;
      while (position < all) {
        int values = (int) Math.min(atOnce, all - position);
        boolean[] kept = new boolean[values];
        Arrays.fill(kept, true);
        for (int i = 0; i < inputs.size(); i++) {
          int width = masks.get(i).width();
          ByteBuffer bytes = ByteBuffer.allocate(values * width);
          inputs.get(i).readFully(position * width, bytes);
          for (int value = 0; value < values; value++) {
            kept[value] &= isNonzero(bytes.array(), value * width, width);
          }
        }
        for (boolean token : kept) {
          add(token);
        }
      }
      runs[runs.length - 1] = count;
    }

    private static boolean isNonzero(byte[] bytes, int from, int width) {
      for (int i = from; i < from + width; i++) {
        if (bytes[i] != 0) {
          return true;
        }
      }
      return false;
    }

    private void add(boolean isKept) throws FormatException {
      if (position % tokens == 0) {
        runs[(int) (position / tokens)] = count;
        isOpen = false;
      }
      if (isKept && !isOpen) {
        begin();
      }
      position++;
      if (isKept) {
        ends[count - 1] = position;
      }
      isOpen = isKept;
    }

    private void begin() throws FormatException {
      DatasetError.TOO_LARGE.check(
          count < MAX_RUNS, path, "masks leave more than %d runs of tokens", MAX_RUNS);
      if (count == starts.length) {
        starts = Arrays.copyOf(starts, 2 * count);
        ends = Arrays.copyOf(ends, 2 * count);
      }
      starts[count++] = position;
    }

    boolean isWhole() {
      long kept = 0;
      for (int i = 0; i < count; i++) {
        kept += ends[i] - starts[i];
      }
      return kept == position;
    }

    KeptTokens build() {
      long[] before = new long[count + 1];
      for (int i = 0; i < count; i++) {
        before[i + 1] = before[i] + ends[i] - starts[i];
      }
      return new KeptTokens(tokens, runs, Arrays.copyOf(starts, count), before);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeptTokens kept
        && tokens == kept.tokens
        && Arrays.equals(runs, kept.runs)
        && Arrays.equals(starts, kept.starts)
        && Arrays.equals(before, kept.before);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(before);
  }

  /** Returns the number of kept tokens of all examples. */
  long count() {
    return before[before.length - 1];
  }

  long length(long example) {
    return before[runs[(int) example + 1]] - before[runs[(int) example]];
  }

  List<IndexRange> ranges(long example) {
    List<IndexRange> ranges = new ArrayList<>();
    for (int run = runs[(int) example]; run < runs[(int) example + 1]; run++) {
      long start = starts[run] - example * tokens;
      ranges.add(new IndexRange(start, start + before[run + 1] - before[run]));
    }
    return ranges;
  }

  /** Returns whether at least the given number of leading tokens is kept in each example. */
  boolean startsWith(int first) {
    for (int example = 0; example < runs.length - 1; example++) {
      int run = runs[example];
      boolean starts =
          run < runs[example + 1]
              && this.starts[run] == example * tokens
              && before[run + 1] - before[run] >= first;
      if (!starts) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the tokens from a kept token to the end of its run; tokens are numbered across all
   * examples.
   */
  IndexRange from(long keptToken) {
    int run = AscendingSearch.lastAtMost(starts.length, i -> before[i], keptToken);
    long start = starts[run] + keptToken - before[run];
    return new IndexRange(start, starts[run] + before[run + 1] - before[run]);
  }
}
