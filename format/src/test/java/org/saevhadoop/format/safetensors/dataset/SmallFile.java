package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.saevhadoop.format.safetensors.header.MemoryFile;

/** Files of a few tensors, for tests here and in other modules. */
public final class SmallFile {
  private SmallFile() {}

  /** Writes a file with this header and data of the bytes 0, 1, 2 ... */
  public static Path write(Path file, String json, int dataBytes) throws IOException {
    byte[] bytes = MemoryFile.of(json, dataBytes);
    for (int i = 0; i < dataBytes; i++) {
      bytes[bytes.length - dataBytes + i] = (byte) i;
    }
    return Files.write(file, bytes);
  }

  /** Writes tensors U8 [3] of these names, one after another. */
  public static Path ofThree(Path file, String... names) throws IOException {
    StringBuilder json = new StringBuilder();
    for (int i = 0; i < names.length; i++) {
      json.append(i == 0 ? "{" : ",")
          .append('"' + names[i] + '"')
          .append(":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[")
          .append(3 * i + "," + (3 * i + 3) + "]}");
    }
    return write(file, json.append('}').toString(), 3 * names.length);
  }

  /** A manifest that lists these files, as {@code name:examples}, in their real length. */
  public static void manifest(Path folder, String... files) throws IOException {
    StringBuilder shards = new StringBuilder();
    long examples = 0;
    long bytes = 0;
    for (String file : files) {
      String name = file.substring(0, file.indexOf(':'));
      int count = Integer.parseInt(file.substring(name.length() + 1));
      long size = Files.size(folder.resolve(name));
      shards.append(
          "%s{\"shard_path\":\"%s\",\"samples_count\":%d,\"bytes\":%d}"
              .formatted(shards.isEmpty() ? "" : ",", name, count, size));
      examples += count;
      bytes += size;
    }
    String start = "{\"format_version\":\"1.0\",\"safetensors_version\":\"1.0\",";
    Files.writeString(
        folder.resolve("dataset_manifest.json"),
        start
            + "\"total_samples\":%d,\"total_bytes\":%d,\"shards\":[%s]}"
                .formatted(examples, bytes, shards));
  }
}
