package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ExampleIds;

/**
 * A search for an id that occurs twice, in bounded memory: each pass collects the 64-bit hashes of
 * as many ids as fit, and reads all ids at most twice.
 */
final class RepeatedId {
  /** The memory per hash, in bytes, including the sorted copies or the position. */
  static final int HASH_BYTES = 4 * Long.BYTES;

  private static final int READ_IDS = 4096;

  private final ExampleIds ids;
  private final long examples;
  private final long passes;

  /** Two examples with the same id. */
  record Pair(long first, long second, String id) {}

  /**
   * Prepares a search.
   *
   * @param atOnce the approximate number of hashes in memory at a time, which take {@link
   *     #HASH_BYTES} each
   */
  RepeatedId(ExampleIds ids, long examples, int atOnce) {
    this.ids = ids;
    this.examples = examples;
    this.passes = Math.max(1, (examples + atOnce - 1) / atOnce);
  }

  /**
   * Returns the first example that repeats an id, together with the earlier example; null if no
   * example does.
   */
  @Nullable Pair find() throws IOException {
    Pair found = null;
    for (long pass = 0; pass < passes; pass++) {
      long[] repeated = repeatedHashes(pass);
      if (repeated.length > 0) {
        Pair next = first(repeated, found == null ? examples : found.second);
        found = next == null ? found : next;
      }
    }
    return found;
  }

  @FunctionalInterface
  private interface Visitor {
    /** Visits an id and returns whether to continue. */
    boolean visit(long example, String id, long hash) throws IOException;
  }

  private void forEach(long end, Visitor visitor) throws IOException {
    for (long first = 0; first < end; first += READ_IDS) {
      List<String> some = ids.ids(first, Math.min(READ_IDS, end - first));
      for (int i = 0; i < some.size(); i++) {
        if (!visitor.visit(first + i, some.get(i), hash(some.get(i)))) {
          return;
        }
      }
    }
  }

  /** Returns, in ascending order, the hashes of a pass that occur more than once. */
  private long[] repeatedHashes(long pass) throws IOException {
    LongStream.Builder hashes = LongStream.builder();
    forEach(
        examples,
        (example, id, hash) -> {
          if (Long.remainderUnsigned(hash, passes) == pass) {
            hashes.add(hash);
          }
          return true;
        });
    long[] sorted = hashes.build().sorted().toArray();
    return IntStream.range(1, sorted.length)
        .filter(i -> sorted[i] == sorted[i - 1] && (i == 1 || sorted[i] != sorted[i - 2]))
        .mapToLong(i -> sorted[i])
        .toArray();
  }

  /** Returns the first example before {@code end} that repeats the id of an earlier example. */
  private @Nullable Pair first(long[] repeated, long end) throws IOException {
    long[] places = new long[repeated.length];
    Arrays.fill(places, -1);
    Map<String, Long> others = new HashMap<>(); // examples of other ids with the same hash
    Pair[] found = new Pair[1];
    forEach(
        end,
        (example, id, hash) -> {
          int index = Arrays.binarySearch(repeated, hash);
          if (index >= 0 && places[index] < 0) {
            places[index] = example;
          } else if (index >= 0) {
            boolean same = ids.ids(places[index], 1).get(0).equals(id);
            Long before = same ? Long.valueOf(places[index]) : others.put(id, example);
            found[0] = before == null ? null : new Pair(before, example, id);
          }
          return found[0] == null;
        });
    return found[0];
  }

  private static long hash(String id) {
    long hash = id.length();
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * 0x9e3779b97f4a7c15L;
      hash ^= hash >>> 32;
    }
    hash = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
    return hash ^ hash >>> 31;
  }
}
