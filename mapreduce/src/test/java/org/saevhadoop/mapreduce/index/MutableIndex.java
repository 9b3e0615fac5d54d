package org.saevhadoop.mapreduce.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.parquet.index.IndexCheck;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;

/** A dataset in memory whose index is replaced by variants of itself. */
final class MutableIndex {
  private static final long MAX_NANOS = 1_000_000_000;

  private final MemoryStorage storage;
  private final List<String> files;
  private final List<TensorIndexEntry> entries;
  private final byte[] sound;

  /** Takes the files of a folder on disk, of which all but the index are safetensors files. */
  MutableIndex(Path folder) throws IOException {
    LocalFolder local = new LocalFolder(folder);
    storage = MemoryStorage.copyOf(local);
    files =
        storage.files().keySet().stream().filter(name -> !name.equals(TensorIndex.NAME)).toList();
    sound = Files.readAllBytes(folder.resolve(TensorIndex.NAME));
    try (TensorIndex index = TensorIndex.open(local)) {
      entries = Entries.all(index);
    }
  }

  /** Returns a copy of the index as it was written. */
  byte[] sound() {
    return sound.clone();
  }

  /**
   * Asserts that a variant of the index is read within a second, and that either the check reports
   * a problem or all keys are found as in the original.
   *
   * @return whether the check reports a problem
   */
  boolean isNoticedOrHarmless(byte[] variant) throws IOException {
    storage.put(TensorIndex.NAME, variant);
    long start = cpuNanos();
    List<FormatException> problems =
        IndexCheck.run(storage, files, TensorLayout.KV, HeaderStrictness.STRICT);
    assertThat(cpuNanos() - start).as("time of the check").isLessThan(MAX_NANOS);
    problems.forEach(
        problem -> assertThat(problem.path()).isEqualTo(storage.path(TensorIndex.NAME)));
    start = cpuNanos();
    if (problems.isEmpty()) {
      findAll();
    } else {
      findAny();
    }
    assertThat(cpuNanos() - start).as("time of lookups").isLessThan(MAX_NANOS);
    return !problems.isEmpty();
  }

  private void findAll() throws IOException {
    try (TensorIndex index = TensorIndex.open(storage)) {
      for (TensorIndexEntry entry : entries) {
        List<TensorIndexEntry> found = index.find(entry.key(), 2);
        assertThat(found).hasSize(1);
        assertThat(found.get(0)).isIn(entry, entry.withoutPlace());
      }
      assertThat(index.find("no such key", 2)).isEmpty();
    }
  }

  /** Looks up a key in an index with problems, which may be an error, but no other exception. */
  private void findAny() throws IOException {
    try (TensorIndex index = TensorIndex.open(storage)) {
      index.find(entries.get(entries.size() / 2).key());
    } catch (FormatException e) {
      assertThat(e.path()).isEqualTo(storage.path(TensorIndex.NAME));
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
