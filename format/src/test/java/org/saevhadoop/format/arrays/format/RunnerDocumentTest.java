package org.saevhadoop.format.arrays.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrow.ArrowFormat;
import org.saevhadoop.format.inflated.Inflating;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.parquet.ParquetFormat;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ModelName;

/** The document that SAELens writes beside activations. */
class RunnerDocumentTest {
  private static final Path ARRAYS = Path.of("../fixtures/arrays");
  private static final String NAME = "cache_activations_runner_cfg.json";

  @TempDir Path folder;
  private Path data;

  @BeforeEach
  void copyFiles() throws IOException {
    data = Files.createDirectory(folder.resolve("data"));
    for (String file : List.of("data-00000-of-00002.arrow", "data-00001-of-00002.arrow")) {
      Files.copy(ARRAYS.resolve("saelens").resolve(file), data.resolve(file));
    }
  }

  private static Location at(Path path) {
    return Location.of(new LocalFolder(path));
  }

  private List<String> warnings(Settings settings) throws IOException {
    return new ArrowFormat().open(at(data), settings, DatasetFormats.registry()).warnings();
  }

  @Test
  void itNamesTheModelOfFilesBesideItOrBelowIt() throws IOException {
    assertThat(new ParquetFormat().assumedModel(at(ARRAYS.resolve("saelens-hub/data"))))
        .isEqualTo(new ModelName("unknown", "gpt2"));
    assertThat(new ArrowFormat().assumedModel(at(data))).isEqualTo(ModelName.ASSUMED);
    Files.writeString(data.resolve(NAME), "{\"model_name\": \"pythia\"}");
    assertThat(new ArrowFormat().assumedModel(at(data)))
        .isEqualTo(new ModelName("unknown", "pythia"));
    assertThat(warnings(Settings.NONE)).isEmpty();
  }

  @Test
  void shapesThatItContradictsAreAWarning() throws IOException {
    Path document = folder.resolve(NAME);
    Files.writeString(document, "{\"context_size\": 5, \"d_in\": 8}");
    assertThat(warnings(Settings.NONE)).isEmpty();
    Files.writeString(document, "{\"context_size\": 128, \"d_in\": 16}");
    assertThat(warnings(Settings.NONE))
        .anyMatch(line -> line.contains("states that examples have 128 tokens, but they are read"))
        .anyMatch(line -> line.contains("states that vectors have 16 values, but they have 8"));
    Settings named =
        Settings.NONE.with(ArrayKeys.TENSORS, List.of("blocks.3.hook_resid_post=token,dim"));
    assertThat(warnings(named)).isEmpty();
  }

  @Test
  void stagedFilesAreComparedWithIt() throws IOException {
    MemoryStorage staged = new MemoryStorage("/staged");
    Path table = Files.createDirectory(data.resolve("table"));
    Path hub = ARRAYS.resolve("saelens-hub/data/train-00000-of-00001.parquet");
    Files.copy(hub, table.resolve("a.parquet"));
    Files.writeString(data.resolve(NAME), "{\"context_size\": 7}");
    assertThat(Inflating.open(new ParquetFormat(), at(table), Settings.NONE, staged).warnings())
        .anyMatch(line -> line.contains("states that examples have 7 tokens"));
  }

  @Test
  void anotherDocumentIsRefused() throws IOException {
    Path document = folder.resolve(NAME);
    Files.writeString(document, "[]");
    assertFails(ArrayError.BAD_DOCUMENT, document, () -> new ArrowFormat().assumedModel(at(data)));
  }
}
