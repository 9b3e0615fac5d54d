package org.saevhadoop.format.safetensors.header;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.LocalFile;

/** Files whose tensors hold zeros. */
public final class ZeroFiles {
  private ZeroFiles() {}

  /** Writes a file, or replaces it. */
  public static void write(Path file, Map<String, String> metadata, List<TensorSpec> specs)
      throws IOException {
    Files.deleteIfExists(file);
    try (SafetensorsWriter out = new SafetensorsWriter(LocalFile.create(file), specs, metadata)) {
      out.write(ByteBuffer.allocate((int) SafetensorsHeader.encode(specs, metadata).dataBytes()));
    }
  }
}
