package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.dataset.DatasetError;

/** Folders for training and for measuring, in each container: each is a dataset of its own. */
class TrainingFoldersTest {
  @TempDir Path folder;

  private static Map<String, Found> array(int value) {
    float[] values = {value, value + 1, value + 2, value + 3, value + 4, value + 5};
    return Map.of("array", Found.of("F32", List.of(2L, 3L), NaiveTensors.floats(values)));
  }

  private static String digest(Path dataset) {
    return Cli.run("digest", dataset).succeeds().text().lines().findFirst().orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(names = "SDZ_DEFLATED", mode = EnumSource.Mode.EXCLUDE)
  void eachIsProposedAndConvertedAsItIsRead(OwnContainer container) throws Exception {
    Path source = folder.resolve("own data");
    for (String set : List.of("train", "val")) {
      container.write(source, set + "/layer_3", array(set.length()));
      container.write(source, set + "/layer_7", array(10 * set.length()));
    }
    for (String verb : List.of("digest", "stats", "list")) {
      Cli.run(verb, source).failsWith(DatasetError.UNKNOWN_FORMAT, source);
    }
    assertThat(Cli.run("verify", source).stderr()).contains("own data/train");
    List<ProposedCommand> commands = ProposedCommand.of(source);
    assertThat(commands).hasSize(2);
    for (int i = 0; i < 2; i++) {
      Path read = source.resolve(i == 0 ? "train" : "val");
      assertThat(commands.get(i).words().get(1)).isEqualTo(read.toString());
      Path written = commands.get(i).run(folder.resolve("out" + i), "npy");
      assertThat(digest(written)).isEqualTo(digest(read)).contains("examples=2 layers=3,7 ");
    }
  }

  @Test
  void filesInFoldersOfLayersBelowThemAreProposedWithTheirPattern() throws Exception {
    for (String file : List.of("train/layer_3", "train/layer_7", "test/layer_3", "test/layer_7")) {
      OwnContainer.NPY.write(folder.resolve("own"), file + "/acts", array(1));
    }
    List<ProposedCommand> commands = ProposedCommand.of(folder.resolve("own"));
    assertThat(commands)
        .extracting(ProposedCommand::options)
        .containsExactly("--files '{hook}/acts.npy'", "--files '{hook}/acts.npy'");
    for (ProposedCommand command : commands) {
      Path out = Files.createTempDirectory(folder, "out").resolve("npy");
      assertThat(digest(command.run(out, "npy"))).contains("layers=3,7 ");
    }
  }

  @Test
  void integersBesideTheVectorsOfAFolderAreReadWithThem() throws Exception {
    for (String set : List.of("train", "val")) {
      OwnContainer.NPY.write(folder, "own/" + set + "/layer_3", array(1));
      byte[] ids = new byte[2 * Long.BYTES];
      OwnContainer.NPY.write(
          folder, "own/" + set + "/labels", Map.of("array", Found.of("I64", List.of(2L), ids)));
    }
    List<ProposedCommand> commands = ProposedCommand.of(folder.resolve("own"));
    assertThat(commands).hasSize(2);
    assertThat(commands.get(0).run(folder.resolve("out"), "npy").resolve("token_labels.npy"))
        .exists();
  }
}
