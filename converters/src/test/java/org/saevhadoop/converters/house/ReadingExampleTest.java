package org.saevhadoop.converters.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.reader.vector.ReaderOptions;
import org.saevhadoop.format.reader.vector.ShuffledReader;
import org.saevhadoop.format.reader.vector.TokenChoice;
import org.saevhadoop.format.reader.vector.VectorView;
import org.saevhadoop.format.saev.SaevDataset;

/** The example of docs/reading.md: it compiles, runs, and stands there as it stands here. */
class ReadingExampleTest {
  private long rows;

  @Test
  void theExampleReadsEveryVectorInEachEpoch() throws IOException {
    example(Fixtures.saev(Fixtures.SMALL));
    assertThat(rows).isEqualTo(2 * 7 * 9);
  }

  @Test
  void theDocumentShowsThisVeryCode() throws IOException {
    Path here =
        Corpus.checkout()
            .resolve(
                "converters/src/test/java/org/saevhadoop/converters/house/ReadingExampleTest.java");
    String source = Files.readString(here);
    String end = "    // end " + "of the example";
    String example =
        source.substring(source.indexOf("    // the " + "example\n"), source.indexOf(end));
    String code = example.substring(example.indexOf('\n') + 1).replaceAll("(?m)^    ", "");
    assertThat(Files.readString(Corpus.checkout().resolve("docs/reading.md"))).contains(code);
  }

  private void example(Path directory) throws IOException {
    // the example
    SaevDataset dataset = SaevDataset.open(new LocalFolder(directory));
    int cls = dataset.metadata().clsToken() ? 1 : 0;
    VectorView view = VectorView.of(dataset, cls, TokenChoice.IMAGE, 13);
    ReaderOptions options = ReaderOptions.defaults().withBatchSize(4096).withBufferSize(16);
    try (ShuffledReader reader = new ShuffledReader(dataset, view, options)) {
      for (int epoch = 0; epoch < 2; epoch++) {
        reader.startEpoch(epoch);
        while (reader.next()) {
          FloatBuffer vectors = reader.batch().floats(); // [rows, dim]
          train(vectors, reader.batch().rows());
        }
      }
    }
    // end of the example
  }

  private void train(FloatBuffer vectors, int count) {
    assertThat(vectors.remaining()).isEqualTo(count * 16);
    rows += count;
  }
}
