package org.saevhadoop.format.safetensors.index;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;

/** Builds the index of a dataset from the headers of its files, one at a time. */
public final class TensorIndexBuilder {
  private record Keyed(byte[] utf8, TensorInfo tensor) {}

  private TensorIndexBuilder() {}

  /**
   * Writes the index of the given files and closes the output. Files are indexed in the given
   * order, and the tensors of a file in the UTF-8 order of their names. A lookup reads the least
   * data if all keys of a file are greater than the keys of the previous file.
   *
   * @return the number of tensors in the files
   * @throws org.saevhadoop.format.io.FormatException if a header is malformed, or a dimension is
   *     2^31 or more
   */
  public static long write(Folder folder, List<String> files, Output out) throws IOException {
    try (TensorIndexSink sink = opener().open(out)) {
      for (String file : files) {
        add(folder, file, sink);
      }
      return sink.entries();
    }
  }

  private static TensorIndexSink.Opener opener() {
    return ServiceLoader.load(TensorIndexSink.Opener.class, TensorIndexSink.class.getClassLoader())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("nothing on the class path writes Parquet"));
  }

  private static void add(Folder folder, String file, TensorIndexSink sink) throws IOException {
    SafetensorsHeader header;
    try (Input in = folder.open(file)) {
      header = SafetensorsHeader.read(in);
    }
    List<Keyed> tensors =
        header.tensors().stream()
            .map(tensor -> new Keyed(tensor.name().getBytes(StandardCharsets.UTF_8), tensor))
            .sorted((a, b) -> Arrays.compareUnsigned(a.utf8(), b.utf8()))
            .toList();
    for (Keyed keyed : tensors) {
      sink.write(TensorIndexEntry.of(file, header, keyed.tensor()));
    }
  }
}
