package org.saevhadoop.format.parquet;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.safetensors.index.TensorIndex;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;

/**
 * Compares the index of a dataset with the headers of its files and reports the differences. The
 * index is read once, and a second time if there are differences; each header is read once. The
 * memory in between is two 64-bit hashes per entry.
 */
public final class IndexCheck {
  /** Maximum number of keys with several entries that are examined to name one in the message. */
  private static final int SUSPECTS = 1000;

  private final Folder folder;
  private final boolean keyed;
  private final String path;
  private final List<FormatException> problems = new ArrayList<>();
  private final Map<String, IndexedEntries> files = new TreeMap<>();

  /**
   * Hash, by file, of an entry to be named in the message; the first entry with that hash is used.
   */
  private final Map<String, Long> exampleHashes = new HashMap<>();

  private final Map<String, Long> missingCounts = new TreeMap<>();
  private final Map<String, String> missingNames = new HashMap<>();

  /** Entries of the index for one file. */
  private static final class IndexedEntries {
    private final LongStream.Builder names = LongStream.builder();
    private final LongStream.Builder entries = LongStream.builder();
    private long count;

    void add(TensorIndexEntry entry) {
      names.add(hash(entry.key()));
      entries.add(hash(entry));
      count++;
    }
  }

  private IndexCheck(Folder folder, TensorLayout layout, String path) {
    this.folder = folder;
    this.keyed = layout == TensorLayout.KV;
    this.path = path;
  }

  /** Returns whether a folder has an index. */
  public static boolean hasIndex(Folder folder) throws IOException {
    return folder.files().containsKey(TensorIndex.NAME)
        || folder.folder(TensorIndex.NAME).isPresent();
  }

  /**
   * Returns the problems of the index of a dataset, one line each. Files that are not safetensors
   * files are skipped, because they are invalid regardless of the index.
   *
   * @param expected the files of the dataset
   */
  public static List<FormatException> run(
      Folder folder, Collection<String> expected, TensorLayout layout, HeaderStrictness strictness)
      throws IOException {
    List<FormatException> broken = new ArrayList<>();
    try (ParquetTensorIndex index = ParquetTensorIndex.open(folder)) {
      IndexCheck check = new IndexCheck(folder, layout, index.path());
      index.forEach(entry -> check.entriesOf(entry.file()).add(entry));
      check.compare(index, expected, strictness);
      return check.problems;
    } catch (FormatException e) {
      broken.add(e);
    }
    return broken;
  }

  private IndexedEntries entriesOf(String file) {
    return files.computeIfAbsent(file, name -> new IndexedEntries());
  }

  private void compare(TensorIndex index, Collection<String> expected, HeaderStrictness strictness)
      throws IOException {
    Set<String> present = folder.files().keySet();
    Map<String, long[]> names = new HashMap<>();
    Set<String> all = new HashSet<>(expected);
    for (Map.Entry<String, IndexedEntries> file : files.entrySet()) {
      if (!all.contains(file.getKey()) || !present.contains(file.getKey())) {
        add(
            "is stale: %d entries name %s, which %s",
            file.getValue().count,
            file.getKey(),
            present.contains(file.getKey()) ? "is not the dataset's" : "is not there");
      }
    }
    for (String file : expected) {
      long[] found = sorted(entriesOf(file).names);
      names.put(file, found);
      if (present.contains(file)) {
        compare(index, file, found, sorted(entriesOf(file).entries), strictness);
      }
    }
    Set<Long> suspects = new HashSet<>();
    long several = repeated(names, suspects);
    if (several > 0 || !exampleHashes.isEmpty()) {
      examples(index, several, suspects);
    }
  }

  private void compare(
      TensorIndex index, String file, long[] names, long[] entries, HeaderStrictness strictness)
      throws IOException {
    SafetensorsHeader header;
    try (Input in = folder.open(file)) {
      header = SafetensorsHeader.read(in, strictness);
    } catch (FormatException e) {
      return;
    }
    long[] found = new long[header.tensors().size()];
    long unnamed = 0;
    long differ = 0;
    String firstUnnamed = null;
    TensorIndexEntry firstDiffers = null;
    for (int i = 0; i < found.length; i++) {
      TensorInfo tensor = header.tensors().get(i);
      TensorIndexEntry entry = TensorIndexEntry.of(file, header, tensor);
      found[i] = hash(tensor.name());
      if (Arrays.binarySearch(names, found[i]) < 0) {
        firstUnnamed = unnamed++ == 0 ? tensor.name() : firstUnnamed;
      } else if (Arrays.binarySearch(entries, hash(entry)) < 0
          && Arrays.binarySearch(entries, hash(withoutPlace(entry))) < 0) {
        firstDiffers = differ++ == 0 ? entry : firstDiffers;
      }
    }
    if (unnamed > 0) {
      add("is stale: it lacks %d tensors of %s, such as \"%s\"", unnamed, file, firstUnnamed);
    }
    if (differ > 0) {
      add(
          "is stale: %d entries differ from the header of %s; \"%s\" is %s (expected %s)",
          differ, file, firstDiffers.key(), entryTextOf(index, firstDiffers), show(firstDiffers));
    }
    reportMissing(file, names, found);
  }

  /** Reports the entries whose tensors are missing from the file. */
  private void reportMissing(String file, long[] names, long[] found) {
    Arrays.sort(found);
    long missing = 0;
    for (long name : names) {
      if (Arrays.binarySearch(found, name) < 0) {
        exampleHashes.putIfAbsent(file, name);
        missing++;
      }
    }
    if (missing > 0) {
      missingCounts.put(file, missing);
    }
  }

  /** Counts the keys with several entries: per file, or across all files in the kv layout. */
  private long repeated(Map<String, long[]> names, Set<Long> suspects) {
    if (keyed) {
      return repeated(
          names.values().stream().flatMapToLong(Arrays::stream).sorted().toArray(), suspects);
    }
    long several = 0;
    for (long[] file : names.values()) {
      several += repeated(file, suspects);
    }
    return several;
  }

  private static long repeated(long[] sorted, Set<Long> suspects) {
    long several = 0;
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1] && (i == 1 || sorted[i] != sorted[i - 2])) {
        several++;
        if (suspects.size() < SUSPECTS) {
          suspects.add(sorted[i]);
        }
      }
    }
    return several;
  }

  /** Reads the index again to find names for the messages. */
  private void examples(TensorIndex index, long several, Set<Long> suspects) throws IOException {
    Map<String, List<String>> places = new TreeMap<>();
    index.forEach(
        entry -> {
          long hash = hash(entry.key());
          Long exampleHash = exampleHashes.get(entry.file());
          if (exampleHash != null && exampleHash == hash) {
            missingNames.putIfAbsent(entry.file(), entry.key());
          }
          if (suspects.contains(hash)) {
            String key = keyed ? entry.key() : entry.file() + ' ' + entry.key();
            places.computeIfAbsent(key, k -> new ArrayList<>()).add(entry.file());
          }
        });
    missingCounts.forEach(
        (file, count) ->
            add(
                "is stale: %d entries name tensors that %s does not have, such as \"%s\"",
                count, file, missingNames.get(file)));
    for (Map.Entry<String, List<String>> place : places.entrySet()) {
      if (place.getValue().size() > 1) {
        add(
            "has several entries for %d keys, such as \"%s\", in %s (expected one)",
            several, place.getKey(), place.getValue().stream().distinct().limit(5).toList());
        return;
      }
    }
  }

  private static String entryTextOf(TensorIndex index, TensorIndexEntry sought) throws IOException {
    for (TensorIndexEntry entry : index.findAll(sought.key())) {
      if (entry.file().equals(sought.file())) {
        return show(entry);
      }
    }
    return "otherwise";
  }

  private static String show(TensorIndexEntry entry) {
    String place =
        entry.placed()
            ? " at %d to %d behind %d bytes of header"
                .formatted(entry.begin(), entry.end(), entry.headerBytes())
            : "";
    return entry.dtype() + entry.shape().toString().replace(" ", "") + place;
  }

  private static TensorIndexEntry withoutPlace(TensorIndexEntry entry) {
    long none = TensorIndexEntry.UNKNOWN;
    return new TensorIndexEntry(
        entry.key(), entry.file(), entry.dtype(), entry.shape(), none, none, none);
  }

  private static long[] sorted(LongStream.Builder hashes) {
    return hashes.build().sorted().toArray();
  }

  private static long hash(TensorIndexEntry entry) {
    long hash = mix(hash(entry.key()), entry.dtype().ordinal());
    for (long dimension : entry.shape()) {
      hash = mix(hash, dimension);
    }
    return mix(mix(mix(hash, entry.begin()), entry.end()), entry.headerBytes());
  }

  private static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return mix(hash, text.length());
  }

  /** Finalizer of SplitMix64. */
  private static long mix(long hash, long value) {
    long z = hash * 31 + value + 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  @FormatMethod
  private void add(@FormatString String problem, Object... args) {
    problems.add(ParquetError.INDEX_MISMATCH.in(path, problem, args));
  }
}
