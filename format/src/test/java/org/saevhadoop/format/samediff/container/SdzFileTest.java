package org.saevhadoop.format.samediff.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.ZipArchive;

class SdzFileTest {
  @Test
  void modelsAreFoundByTheirNames() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<String> names =
        List.of(
            "tokenizer.json",
            "model",
            "README",
            "\u03b1 \u03b2.sdnb",
            "model.shard0-of-1.sdnb",
            "a.model");
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String name : names) {
        zip.putNextEntry(new ZipEntry(name));
      }
    }
    try (ZipArchive sdz = SdzFile.open(new MemoryInput("memory.sdz", bytes.toByteArray()))) {
      assertThat(SdzFile.models(sdz).stream().map(ArchiveEntry::name))
          .containsExactly("model", "\u03b1 \u03b2.sdnb", "model.shard0-of-1.sdnb");
      assertThat(sdz.entries()).hasSameSizeAs(names);
    }
  }
}
