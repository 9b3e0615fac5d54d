package org.saevhadoop.format.samediff.sdz;

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
    try (SdzFile sdz = SdzFile.open(LocalFile.open(file))) {
      List<SdzEntry> entries = sdz.entries();
      assertThat(entries).hasSameSizeAs(expected.keySet());
      assertThat(sdz.ignored()).isEmpty();
      for (SdzEntry entry : entries) {
        byte[] data = SdzReading.read(sdz, entry, 100_000);
        assertThat(data)
            .isEqualTo(expected.get(entry.name()))
            .startsWith("SDNB".getBytes(StandardCharsets.US_ASCII));
      }
    }
  }
}
