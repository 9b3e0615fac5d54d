package org.saevhadoop.format.samediff.sdnb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFile;

/** The manifests of real files. */
@RequiresCorpus
class SdnbManifestCorpusTest {
  private static final int MANIFEST_OFFSET = 8;
  private static final int MANIFEST_LENGTH = 16;

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(Corpus.part("samediff"))) {
      return files.filter(file -> file.toString().endsWith(".sdnb")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void aRealManifestIsReadAsByJavaAndWrittenTheSame(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    long offset = ByteBuffer.wrap(bytes).getLong(MANIFEST_OFFSET);
    long length = ByteBuffer.wrap(bytes).getLong(MANIFEST_LENGTH);
    byte[] manifest = Arrays.copyOfRange(bytes, (int) offset, (int) (offset + length));
    try (Input in = LocalFile.open(file)) {
      List<SdnbManifestEntry> entries = SdnbManifestParser.parse(in, offset, length);
      assertThat(entries).isEqualTo(JavaManifest.read(manifest));
      assertThat(SdnbManifestEncoder.encode(entries)).isEqualTo(manifest);
    }
  }
}
