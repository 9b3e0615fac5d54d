package org.saevhadoop.format.safetensors.header;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.tensor.DType;

/** Files with given tensors. */
public final class SafetensorsFiles {
  private SafetensorsFiles() {}

  /** Returns a tensor of F32. */
  public static TensorSpec floats(String name, long... shape) {
    return new TensorSpec(name, DType.F32, LongStream.of(shape).boxed().toList());
  }

  /** Writes a file of zeros, or replaces it. */
  public static void write(Path file, Map<String, String> metadata, List<TensorSpec> specs)
      throws IOException {
    int length = (int) SafetensorsHeader.encode(specs, metadata).dataBytes();
    write(file, metadata, specs, ByteBuffer.allocate(length));
  }

  /** Writes a file of a scalar for each name, or replaces it. */
  public static void writeScalars(Path file, String... names) throws IOException {
    write(file, null, Stream.of(names).map(n -> new TensorSpec(n, DType.U8, List.of())).toList());
  }

  /** Writes a file with the data of all tensors, or replaces it. */
  public static void write(
      Path file, Map<String, String> metadata, List<TensorSpec> specs, ByteBuffer data)
      throws IOException {
    Files.deleteIfExists(file);
    try (Output out = LocalFile.create(file)) {
      out.write(SafetensorsHeader.encode(specs, metadata).bytes());
      out.write(data);
    }
  }
}
