package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.saevhadoop.format.safetensors.header.JsonString;
import org.saevhadoop.format.safetensors.header.LongColumn;

/**
 * What the ids of a whole dataset in the key-value layout are like. Reads every header once, and
 * those with suspects again: 8 bytes are held for each of at most {@link #AT_ONCE} ids.
 *
 * @param losers examples whose id comes again later, ascending
 * @param example an id that comes twice, and the files of its first two examples; null where none
 * @param longest bytes of the longest id in a header, escapes included
 * @param numbers whether the ids are the examples' numbers
 */
public record DuplicateKeyScan(long[] losers, Twice example, int longest, boolean numbers) {
  /** An id that comes twice. */
  public record Twice(String id, String first, String second) {}

  private static final int AT_ONCE = 1 << 24;

  /** The ids of some files. */
  interface Ids {
    /** How many files there are. */
    int files();

    /** A file's name. */
    String name(int file);

    /** The number of its first example. */
    long first(int file);

    /** The ids in it, in order. */
    List<String> of(int file) throws IOException;
  }

  private record TableIds(SafetensorsTable table) implements Ids {
    @Override
    public int files() {
      return table.shards().size();
    }

    @Override
    public String name(int file) {
      return table.shards().get(file).name();
    }

    @Override
    public long first(int file) {
      return table.shards().get(file).first();
    }

    @Override
    public List<String> of(int file) throws IOException {
      return table.ids(file);
    }
  }

  /** Counts the ids of all shards. */
  public static DuplicateKeyScan of(SafetensorsTable table) throws IOException {
    return of(new TableIds(table), table.table().examples());
  }

  /** Counts the ids of all files. */
  static DuplicateKeyScan of(Ids files, long examples) throws IOException {
    return of(files, examples, AT_ONCE);
  }

  /**
   * Counts the ids of all files, reading them so often that each time only a part is remembered.
   *
   * @param atOnce how many that is, about
   */
  static DuplicateKeyScan of(Ids files, long examples, int atOnce) throws IOException {
    int passes = Math.toIntExact((examples + atOnce - 1) / atOnce);
    int longest = 0;
    boolean numbers = true;
    LongStream.Builder losers = LongStream.builder();
    Twice twice = null;
    for (int pass = 0; pass < passes; pass++) {
      LongColumn hashes = new LongColumn();
      for (int file = 0; file < files.files(); file++) {
        long number = files.first(file);
        for (String id : files.of(file)) {
          long hash = hash(id);
          if (Long.remainderUnsigned(hash, passes) == pass) {
            hashes.add(hash);
          }
          longest = Math.max(longest, escapedBytes(id));
          numbers &= id.equals(Long.toString(number++));
        }
      }
      Set<Long> suspects = repeated(hashes);
      if (!suspects.isEmpty()) {
        Twice found = resolve(files, suspects, losers);
        twice = twice == null ? found : twice;
      }
    }
    return new DuplicateKeyScan(losers.build().sorted().toArray(), twice, longest, numbers);
  }

  private static Set<Long> repeated(LongColumn column) {
    long[] hashes = new long[column.size()];
    Arrays.setAll(hashes, column::get);
    Arrays.sort(hashes);
    Set<Long> repeated = new HashSet<>();
    for (int i = 1; i < hashes.length; i++) {
      if (hashes[i] == hashes[i - 1]) {
        repeated.add(hashes[i]);
      }
    }
    return repeated;
  }

  /** Equal hashes may be those of different ids. */
  private static Twice resolve(Ids files, Set<Long> suspects, LongStream.Builder losers)
      throws IOException {
    record Seen(long number, String file) {}

    Map<String, Seen> seen = new HashMap<>();
    Twice twice = null;
    for (int i = 0; i < files.files(); i++) {
      String file = files.name(i);
      long number = files.first(i);
      for (String id : files.of(i)) {
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

  private static int escapedBytes(String id) {
    return JsonString.quoted(id).length - 2;
  }

  /** Ids of the same hash are compared: it need not tell them all apart. */
  static long hash(String id) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * 0x100000001b3L;
    }
    return hash ^ hash >>> 29;
  }
}
