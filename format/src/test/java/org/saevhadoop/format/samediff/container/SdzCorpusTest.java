package org.saevhadoop.format.samediff.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.OtherReaders;
import org.saevhadoop.format.zip.ZipArchive;
import org.saevhadoop.format.zip.ZipReading;

/** An SDZ file that nd4j wrote. */
@RequiresCorpus
class SdzCorpusTest {
  @Test
  void aFileOfNd4jIsReadAsByJava() throws IOException {
    Path file = Corpus.part("samediff").resolve("small_deflated.sdz");
    Map<String, byte[]> expected = OtherReaders.zipFile(file);
    assertThat(expected).isNotEmpty();
    assertThat(OtherReaders.zipInputStream(Files.readAllBytes(file)))
        .containsOnlyKeys(expected.keySet());
    try (ZipArchive sdz = SdzFile.open(LocalFile.open(file))) {
      List<ArchiveEntry> entries = SdzFile.models(sdz);
      assertThat(entries).hasSameSizeAs(expected.keySet());
      assertThat(sdz.entries()).isEqualTo(entries);
      for (ArchiveEntry entry : entries) {
        byte[] data = ZipReading.read(sdz, entry, 100_000);
        assertThat(data)
            .isEqualTo(expected.get(entry.name()))
            .startsWith("SDNB".getBytes(StandardCharsets.US_ASCII));
      }
    }
  }
}
