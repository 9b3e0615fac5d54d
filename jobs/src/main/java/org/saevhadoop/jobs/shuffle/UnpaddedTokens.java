package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.padding.TokenPadding;
import org.saevhadoop.format.shuffle.ExampleChoice;

/**
 * The number of tokens in each example that are not padding.
 *
 * @param tokens the number of tokens in an example, including padding
 * @param counts the numbers of tokens that are not padding; empty if no example has padding
 */
record UnpaddedTokens(int tokens, int[] counts) {
  /**
   * The file in the folder of the rows that contains these numbers, as int32 in little-endian
   * order.
   */
  private static final String FILE = "kept-tokens";

  private static final int EXAMPLES_AT_ONCE = 1024;

  /** Returns an instance in which all tokens are kept. */
  static UnpaddedTokens all(int tokens) {
    return new UnpaddedTokens(tokens, new int[0]);
  }

  /** Reads which tokens are padding. */
  static UnpaddedTokens read(ActivationDataset dataset) throws IOException {
    int tokens = dataset.geometry().tokens();
    try (TokenPadding padding = TokenPadding.of(dataset)) {
      if (!padding.isPossible()) {
        return all(tokens);
      }
      long examples = dataset.geometry().examples();
      DatasetError.TOO_LARGE.check(
          examples <= Integer.MAX_VALUE - 8,
          dataset.path(),
          "has %d examples with padding (expected fewer than 2^31: select some of them)",
          examples);
      int[] counts = new int[(int) examples];
      boolean any = false;
      for (int first = 0; first < counts.length; first += EXAMPLES_AT_ONCE) {
        int some = Math.min(EXAMPLES_AT_ONCE, counts.length - first);
        BitSet found = padding.read(first, some);
        any |= !found.isEmpty();
        for (int i = 0; i < some; i++) {
          counts[first + i] = tokens - found.get(i * tokens, (i + 1) * tokens).cardinality();
        }
      }
      return any ? new UnpaddedTokens(tokens, counts) : all(tokens);
    }
  }

  /** Returns the number of tokens that are not padding in the chosen examples. */
  long of(ExampleChoice choice) {
    if (isWhole()) {
      return Math.multiplyExact(choice.count(), tokens);
    }
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      sum += choice.contains(i) ? counts[i] : 0;
    }
    return sum;
  }

  /** Returns whether no example has padding. */
  boolean isWhole() {
    return counts.length == 0;
  }

  /** Returns the number of padding tokens in the chosen examples. */
  long padding(ExampleChoice choice) {
    return isWhole() ? 0 : choice.count() * tokens - of(choice);
  }

  /** Writes the numbers of all examples. */
  void write(Folder folder) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(EXAMPLES_AT_ONCE * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (Output out = folder.create(FILE)) {
      for (int i = 0; i < counts.length; i++) {
        bytes.putInt(counts[i]);
        if (!bytes.hasRemaining() || i == counts.length - 1) {
          out.write(bytes.flip());
          bytes.clear();
        }
      }
    }
  }

  /**
   * Reads the written numbers, and returns their sum for the chosen examples before a given
   * example.
   */
  static long before(long example, ExampleChoice choice, Folder folder) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(EXAMPLES_AT_ONCE * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long sum = 0;
    try (Input in = folder.open(FILE)) {
      for (long first = 0; first < example; first += EXAMPLES_AT_ONCE) {
        int some = (int) Math.min(EXAMPLES_AT_ONCE, example - first);
        in.readFully(first * Integer.BYTES, bytes.clear().limit(some * Integer.BYTES));
        bytes.flip();
        for (int i = 0; i < some; i++) {
          int count = bytes.getInt();
          sum += choice.contains(first + i) ? count : 0;
        }
      }
    }
    return sum;
  }
}
