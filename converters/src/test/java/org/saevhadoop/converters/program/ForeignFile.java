package org.saevhadoop.converters.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorSpec;

/** Safetensors files as other programs write them. */
public final class ForeignFile {
  private ForeignFile() {}

  public static void withoutMetadata(Path file, Path copy) throws IOException {
    try (Input in = LocalFile.open(file)) {
      SafetensorsHeader header = SafetensorsHeader.read(in);
      var specs =
          header.tensors().stream()
              .map(t -> new TensorSpec(t.name(), t.dtype(), t.shape()))
              .toList();
      byte[] bytes = Files.readAllBytes(file);
      int start = (int) header.dataStart();
      ByteBuffer data = ByteBuffer.wrap(bytes, start, bytes.length - start);
      SafetensorsFiles.write(copy, null, specs, data);
    }
  }
}
