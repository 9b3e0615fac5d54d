package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;

/** Small files that claim much. */
class LyingTablesTest {
  @TempDir Path folder;

  @Test
  void moreBlocksWithoutBytesThanAnyoneHasAreRefused() throws IOException {
    file(Map.of(), new TensorSpec("v", DType.F32, List.of(1L << 24, 0L)));
    assertThat(open().table().examples()).isEqualTo(1 << 24);
    file(Map.of(), new TensorSpec("v", DType.F32, List.of(Long.MAX_VALUE, 0L)));
    assertFails(TensorDatasetError.TOO_LARGE, folder, this::open);
    file(
        Map.of(),
        new TensorSpec("v", DType.F32, List.of(1L << 24, 0L)),
        new TensorSpec("w", DType.F32, List.of(1L << 24, 0L)));
    assertFails(TensorDatasetError.TOO_LARGE, folder, this::open);
  }

  @Test
  void aFileOfMorePaddingThanExamplesIsRefused() throws IOException {
    Map<String, String> metadata =
        Map.of(
            TensorFiles.PADDING_KEY,
            "5",
            TensorFiles.FIRST_EXAMPLE_KEY,
            "0",
            TensorFiles.EXAMPLES_KEY,
            "1");
    file(metadata, new TensorSpec("v", DType.U8, List.of(4L)));
    assertFails(TensorDatasetError.BAD_FILE_METADATA, "part.safetensors", this::open);
    Files.writeString(
        folder.resolve(SafetensorsTable.MANIFEST),
        "{\"format_version\": \"1.0\", \"shards\": [{\"shard_path\": \"part.safetensors\","
            + " \"samples_count\": 4, \"bytes\": "
            + Files.size(folder.resolve("part.safetensors"))
            + "}]}");
    assertFails(TensorDatasetError.BAD_FILE_METADATA, "part.safetensors", this::open);
  }

  private void file(Map<String, String> metadata, TensorSpec... specs) throws IOException {
    SafetensorsFiles.write(folder.resolve("part.safetensors"), metadata, List.of(specs));
  }

  private SafetensorsTable open() throws IOException {
    return SafetensorsTable.open(new LocalFolder(folder), SafetensorsOptions.NONE);
  }
}
