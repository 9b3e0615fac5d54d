package org.saevhadoop.format.parquet.index;

import java.util.Arrays;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;

/**
 * 64-bit hashes of the index entries for one file, limited to the number of tensors that the file
 * can have.
 */
final class EntryHashes {
  /** Minimum length, in bytes, of the entry for a tensor in the header of a file. */
  private static final int MIN_ENTRY_BYTES = 16;

  private static final int INITIAL = 8;

  private final long most;
  private final MemoryAccount memory;
  private long[] names = {};
  private long[] entries = {};
  private int size;
  private long count;

  /**
   * Creates an empty list.
   *
   * @param headerBytes the maximum length of the header of the file
   * @param memory the account that is charged for the hashes
   */
  EntryHashes(long headerBytes, MemoryAccount memory) {
    this.most = headerBytes / MIN_ENTRY_BYTES;
    this.memory = memory;
  }

  void add(TensorIndexEntry entry) {
    count++;
    if (isTooMany()) {
      return;
    }
    if (size == names.length) {
      int length = Math.max(INITIAL, size + size / 2);
      memory.take(2L * Long.BYTES * (length - size));
      names = Arrays.copyOf(names, length);
      entries = Arrays.copyOf(entries, length);
    }
    names[size] = of(entry.key());
    entries[size] = of(entry);
    size++;
  }

  /** Returns whether the number of entries exceeds the number of tensors that the file can have. */
  boolean isTooMany() {
    return count > most;
  }

  /** Returns the number of entries. */
  long count() {
    return count;
  }

  /** Sorts the hashes; {@link #add} must not be called afterwards. */
  void sort() {
    Arrays.sort(names, 0, size);
    Arrays.sort(entries, 0, size);
  }

  int size() {
    return size;
  }

  /** Returns the hash of a key. */
  long name(int i) {
    return names[i];
  }

  boolean hasName(long hash) {
    return Arrays.binarySearch(names, 0, size, hash) >= 0;
  }

  boolean hasEntry(TensorIndexEntry entry) {
    return Arrays.binarySearch(entries, 0, size, of(entry)) >= 0
        || Arrays.binarySearch(entries, 0, size, of(entry.withoutPlace())) >= 0;
  }

  private static long of(TensorIndexEntry entry) {
    long hash = mix(of(entry.key()), entry.dtype().ordinal());
    for (long dimension : entry.shape()) {
      hash = mix(hash, dimension);
    }
    return mix(mix(mix(hash, entry.begin()), entry.end()), entry.headerBytes());
  }

  /** Returns the hash of a key. */
  static long of(String text) {
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
}
