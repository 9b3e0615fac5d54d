package org.saevhadoop.jobs.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.mapreduce.io.HadoopStorage;

class TokenMarksTest {
  @Test
  void labelsAreThoseOfTheExamplesThatWereRead() throws Exception {
    Path data = Corpus.checkout().resolve("fixtures/saev/shards/64988989");
    byte[] labels = Files.readAllBytes(data.resolve("labels.bin"));
    Location location = new HadoopStorage(new Configuration()).locate(data.toString());
    ActivationDataset dataset =
        DatasetFormats.registry()
            .detect(location)
            .open(location, Settings.NONE, DatasetFormats.registry())
            .requireActivations();
    try (TokenMarks marks = TokenMarks.of(dataset)) {
      for (int first : new int[] {3, 0, 5}) {
        marks.read(first, 2);
        for (int example = first; example < first + 2; example++) {
          assertThat(marks.label(example, 0)).isEqualTo(TokenMarks.NO_LABEL); // [CLS]
          for (int patch = 0; patch < 9; patch++) {
            assertThat(marks.label(example, 1 + patch))
                .isEqualTo(labels[example * 9 + patch] & 0xff);
          }
          assertThat(marks.isPadding(example, 1)).isFalse();
        }
      }
    }
  }
}
