package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.safetensors.header.JsonString;

/**
 * Scan of the ids of a whole dataset in the key-value layout. Each pass reads every header once,
 * and again if the pass has candidates for duplicates; 8 bytes are held for each of at most {@link
 * #AT_ONCE} ids.
 *
 * @param losers the superseded examples, whose ids occur again later, in ascending order
 * @param example a duplicate id and the files of its first two examples; null if there is none
 * @param longest the length in bytes of the longest id in a header, including escapes
 * @param numbers whether each id is the number of its example
 */
public record DuplicateKeyScan(
    long[] losers, @Nullable Twice example, int longest, boolean numbers) {
  /** A duplicate id and the files of its first two examples. */
  public record Twice(String id, String first, String second) {}

  static final int AT_ONCE = 1 << 24;

  /** Scans the ids of all shards of a table. */
  public static DuplicateKeyScan of(SafetensorsTable table) throws IOException {
    return of(table.shards().list(), table::ids, AT_ONCE);
  }

  /**
   * Scans the ids of all files in as many passes as needed to hold only part of the ids at a time.
   *
   * @param atOnce the approximate number of ids per pass
   */
  static DuplicateKeyScan of(List<Shard> files, Io.Function<Integer, List<String>> ids, int atOnce)
      throws IOException {
    long examples = files.stream().mapToLong(Shard::examples).sum();
    int passes = Math.toIntExact((examples + atOnce - 1) / atOnce);
    int longest = 0;
    boolean numbers = true;
    LongStream.Builder losers = LongStream.builder();
    Twice twice = null;
    for (int pass = 0; pass < passes; pass++) {
      LongStream.Builder hashes = LongStream.builder();
      for (int file = 0; file < files.size(); file++) {
        long number = files.get(file).first();
        for (String id : ids.apply(file)) {
          long hash = hash(id);
          if (Long.remainderUnsigned(hash, passes) == pass) {
            hashes.add(hash);
          }
          longest = Math.max(longest, JsonString.quoted(id).length - 2);
          numbers = numbers && id.equals(Long.toString(number++));
        }
      }
      Set<Long> suspects = repeated(hashes.build().toArray());
      if (!suspects.isEmpty()) {
        Twice found = resolve(files, ids, suspects, losers);
        twice = twice == null ? found : twice;
      }
    }
    return new DuplicateKeyScan(losers.build().sorted().toArray(), twice, longest, numbers);
  }

  private static Set<Long> repeated(long[] hashes) {
    Arrays.sort(hashes);
    Set<Long> repeated = new HashSet<>();
    for (int i = 1; i < hashes.length; i++) {
      if (hashes[i] == hashes[i - 1]) {
        repeated.add(hashes[i]);
      }
    }
    return repeated;
  }

  /** Compares the ids themselves, because different ids may have the same hash. */
  private static @Nullable Twice resolve(
      List<Shard> files,
      Io.Function<Integer, List<String>> ids,
      Set<Long> suspects,
      LongStream.Builder losers)
      throws IOException {
    record Seen(long number, String file) {}

    Map<String, Seen> seen = new HashMap<>();
    Twice twice = null;
    for (int i = 0; i < files.size(); i++) {
      String file = files.get(i).name();
      long number = files.get(i).first();
      for (String id : ids.apply(i)) {
        if (suspects.contains(hash(id))) {
          Seen before = seen.put(id, new Seen(number, file));
          if (before != null) {
            losers.add(before.number());
            twice = twice == null ? new Twice(id, before.file(), file) : twice;
          }
        }
        number++;
      }
    }
    return twice;
  }

  /** Returns a hash of an id. Collisions are harmless: ids with equal hashes are compared. */
  static long hash(String id) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * 0x100000001b3L;
    }
    return hash ^ hash >>> 29;
  }
}
