package org.saevhadoop.format.safetensors.dataset;

import java.lang.ref.SoftReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ids of the file that was read last, kept until memory is short: several checks read the ids
 * of a dataset, one after another. Thread-safe.
 */
final class LastIds {
  private record Read(int file, List<String> ids) {}

  private volatile SoftReference<Read> last = new SoftReference<>(null);

  /** Returns the ids of a file; null if they are not kept. */
  @Nullable List<String> of(int file) {
    Read read = last.get();
    return read == null || read.file != file ? null : read.ids;
  }

  List<String> keep(int file, List<String> ids) {
    last = new SoftReference<>(new Read(file, ids));
    return ids;
  }
}
