package org.saevhadoop.format.parquet.index;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.file.ParquetLimits;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;

/**
 * Checks the index of a dataset against the headers of its files, checks the bounds and locations
 * that lookups use against the entries, and reports the differences. The index is read once, and a
 * second time if there are differences; each header is read once. The check holds two 64-bit hashes
 * per entry in memory, using at most a quarter of the heap.
 */
public final class IndexCheck {
  /** Maximum number of keys with several entries that are examined to find one for the message. */
  private static final int SUSPECTS = 1000;

  /** Maximum number of problems that are reported; the index can name any number of files. */
  private static final int MAX_PROBLEMS = 1000;

  /** Maximum number of files that a message names. */
  private static final int MAX_NAMED = 5;

  /** Maximum number of entries that are read for files that are missing or too small for them. */
  private static final int MAX_SURPLUS = 500_000;

  /** Estimated memory, in bytes, for the name of a file and its entries. */
  private static final int FILE_MEMORY = 400;

  private final Folder folder;
  private final boolean keyed;
  private final String path;
  private final List<FormatException> problems = new ArrayList<>();
  private final Map<String, EntryHashes> files = new TreeMap<>();
  private final MemoryAccount memory =
      new MemoryAccount(Runtime.getRuntime().maxMemory() / 4, "the hashes of its entries");
  private long surplus;
  private long unreported;

  private final Map<String, Differences> differences = new TreeMap<>();

  /** The differences between entries and the header of a file, with an example of each kind. */
  private static final class Differences {
    private long changed;
    private @Nullable TensorIndexEntry expected; // the first changed entry
    private String found = "different";
    private long missing; // the number of entries whose tensors are missing from the file
    private long missingHash;
    private String missingName = "";
  }

  /** Entries with the same key. */
  private static final class Positions {
    private long count;
    private final Set<String> files = new TreeSet<>();
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
   * Returns the problems with the index of a dataset, one line each. Files that are not safetensors
   * files are skipped, because they are invalid regardless of the index.
   *
   * @param expected the files of the dataset
   */
  public static List<FormatException> run(
      Folder folder, Collection<String> expected, TensorLayout layout, HeaderStrictness strictness)
      throws IOException {
    IndexCheck check = new IndexCheck(folder, layout, folder.path(TensorIndex.NAME));
    try (TensorIndex index = TensorIndex.open(folder)) {
      SortedMap<String, Long> present = folder.files();
      index.verify(entry -> check.count(entry, present), check::add);
      check.compare(index, expected, present, strictness);
    } catch (FormatException e) {
      check.add(e);
    } catch (ParquetLimits.Exceeded e) {
      check.add(
          ParquetError.LIMIT_EXCEEDED
              .in(check.path, "%s (expected at most %d)", e.getMessage(), e.limit())
              .causedBy(e));
    }
    if (check.unreported > 0) {
      check.problems.add(
          ParquetError.INDEX_MISMATCH.in(
              check.path, "has %d more problems that are not listed", check.unreported));
    }
    return check.problems;
  }

  private void count(TensorIndexEntry entry, Map<String, Long> present) throws FormatException {
    EntryHashes entries = entriesOf(entry.file(), present);
    entries.add(entry);
    surplus += entries.isTooMany() ? 1 : 0;
    ParquetError.INDEX_MISMATCH.check(
        surplus <= MAX_SURPLUS,
        path,
        "has at least %d entries for tensors that its files cannot contain, such as %s",
        MAX_SURPLUS,
        entry.file());
  }

  private EntryHashes entriesOf(String file, Map<String, Long> present) {
    EntryHashes known = files.get(file);
    if (known == null) {
      memory.take(FILE_MEMORY + 2L * file.length());
      long header = Math.min(present.getOrDefault(file, 0L), SafetensorsHeader.MAX_HEADER_BYTES);
      known = new EntryHashes(header, memory);
      files.put(file, known);
    }
    return known;
  }

  private void compare(
      TensorIndex index,
      Collection<String> expected,
      SortedMap<String, Long> present,
      HeaderStrictness strictness)
      throws IOException {
    Set<String> all = new HashSet<>(expected);
    for (Map.Entry<String, EntryHashes> file : files.entrySet()) {
      if (!all.contains(file.getKey()) || !present.containsKey(file.getKey())) {
        add(
            "is stale: %d entries name %s, which %s",
            file.getValue().count(),
            file.getKey(),
            present.containsKey(file.getKey())
                ? "does not belong to the dataset"
                : "does not exist");
      }
    }
    List<EntryHashes> hashes = new ArrayList<>();
    for (String file : expected) {
      EntryHashes found = entriesOf(file, present);
      found.sort();
      hashes.add(found);
      if (present.containsKey(file)) {
        compare(file, found, strictness);
      }
    }
    Set<Long> suspects = new HashSet<>();
    long several = repeated(hashes, suspects);
    if (several > 0 || !differences.isEmpty()) {
      examples(index, several, suspects);
    }
  }

  private void compare(String file, EntryHashes indexed, HeaderStrictness strictness)
      throws IOException {
    SafetensorsHeader header;
    try (Input in = folder.open(file)) {
      header = SafetensorsHeader.read(in, strictness);
    } catch (FormatException e) {
      return;
    }
    if (indexed.isTooMany()) {
      add(
          "has %d entries for %s (expected %d, the tensors of the file)",
          indexed.count(), file, header.tensors().size());
      return;
    }
    long[] found = new long[header.tensors().size()];
    long unnamed = 0;
    String firstUnnamed = "";
    for (int i = 0; i < found.length; i++) {
      TensorInfo tensor = header.tensors().get(i);
      TensorIndexEntry entry = TensorIndexEntry.of(file, header, tensor);
      found[i] = EntryHashes.of(tensor.name());
      if (!indexed.hasName(found[i])) {
        firstUnnamed = unnamed++ == 0 ? tensor.name() : firstUnnamed;
      } else if (!indexed.hasEntry(entry)) {
        Differences all = differences(file);
        all.expected = all.changed++ == 0 ? entry : all.expected;
      }
    }
    if (unnamed > 0) {
      add("is stale: it lacks %d tensors of %s, such as \"%s\"", unnamed, file, firstUnnamed);
    }
    Arrays.sort(found);
    for (int i = 0; i < indexed.size(); i++) {
      if (Arrays.binarySearch(found, indexed.name(i)) < 0) {
        Differences all = differences(file);
        all.missingHash = all.missing++ == 0 ? indexed.name(i) : all.missingHash;
      }
    }
  }

  private Differences differences(String file) {
    return differences.computeIfAbsent(file, name -> new Differences());
  }

  /** Counts the keys with several entries: per file, or across all files in the kv layout. */
  private long repeated(List<EntryHashes> hashes, Set<Long> suspects) {
    if (keyed && hashes.size() > 1) {
      int size = Math.toIntExact(hashes.stream().mapToLong(EntryHashes::size).sum());
      memory.take((long) size * Long.BYTES);
      long[] all = new long[size];
      int at = 0;
      for (EntryHashes file : hashes) {
        for (int i = 0; i < file.size(); i++) {
          all[at++] = file.name(i);
        }
      }
      Arrays.sort(all);
      return repeated(size, i -> all[i], suspects);
    }
    long several = 0;
    for (EntryHashes file : hashes) {
      several += repeated(file.size(), file::name, suspects);
    }
    return several;
  }

  private static long repeated(int size, IntToLongFunction sorted, Set<Long> suspects) {
    long several = 0;
    for (int i = 1; i < size; i++) {
      long hash = sorted.applyAsLong(i);
      if (hash == sorted.applyAsLong(i - 1) && (i == 1 || hash != sorted.applyAsLong(i - 2))) {
        several++;
        if (suspects.size() < SUSPECTS) {
          suspects.add(hash);
        }
      }
    }
    return several;
  }

  /** Reads the index again to find names for the messages. */
  private void examples(TensorIndex index, long several, Set<Long> suspects) throws IOException {
    Map<String, Positions> positions = new TreeMap<>();
    index.forEach(
        entry -> {
          long hash = EntryHashes.of(entry.key());
          Differences all = differences.get(entry.file());
          if (all != null && all.missing > 0 && all.missingHash == hash) {
            all.missingName = entry.key();
          }
          if (all != null && all.expected != null && all.expected.key().equals(entry.key())) {
            all.found = show(entry);
          }
          if (suspects.contains(hash)) {
            String key = keyed ? entry.key() : entry.file() + ' ' + entry.key();
            Positions position = positions.computeIfAbsent(key, k -> new Positions());
            position.count++;
            if (position.files.size() < MAX_NAMED) {
              position.files.add(entry.file());
            }
          }
        });
    differences.forEach(
        (file, all) -> {
          if (all.expected != null) {
            add(
                "is stale: %d entries differ from the header of %s; \"%s\" is %s (expected %s)",
                all.changed, file, all.expected.key(), all.found, show(all.expected));
          }
          if (all.missing > 0) {
            add(
                "is stale: %d entries name tensors that %s does not have, such as \"%s\"",
                all.missing, file, all.missingName);
          }
        });
    for (Map.Entry<String, Positions> position : positions.entrySet()) {
      if (position.getValue().count > 1) {
        add(
            "has several entries for %d keys, such as \"%s\", in %s (expected one)",
            several, position.getKey(), position.getValue().files);
        return;
      }
    }
  }

  private static String show(TensorIndexEntry entry) {
    String position =
        entry.placed()
            ? Quote.sentence(
                " at %d to %d after %d bytes of header",
                entry.begin(), entry.end(), entry.headerBytes())
            : "";
    return entry.dtype() + entry.shape().toString().replace(" ", "") + position;
  }

  @FormatMethod
  private void add(@FormatString String problem, Object... args) {
    add(ParquetError.INDEX_MISMATCH.in(path, problem, args));
  }

  private void add(FormatException problem) {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(problem);
    } else {
      unreported++;
    }
  }
}
