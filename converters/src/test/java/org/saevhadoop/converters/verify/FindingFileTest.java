package org.saevhadoop.converters.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveActivations;

/** The file that a finding names, where the layers of an example are in several files. */
class FindingFileTest extends ConvertedDatasets {
  /** Returns .npy files of layers 1 and 3; the last value of layer 3 is NaN. */
  private Path damaged(String name) throws IOException {
    Path whole =
        new NaiveActivations(4, List.of(1, 3), 5, 16, false, false)
            .writeSaev(folder.resolve("saev-" + name));
    Path dataset = convert(whole, name, "npy");
    Path file = dataset.resolve("layer_3.npy");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] = 0x7f;
    bytes[bytes.length - 2] = (byte) 0xff;
    bytes[bytes.length - 3] = 1;
    Files.write(file, bytes);
    return dataset;
  }

  private static void assertNamed(Path dataset, Object... verify) throws IOException {
    Cli run = Cli.run("verify", verify, "--json");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.json().at("/findings/0/path").asText())
        .isEqualTo(dataset.resolve("layer_3.npy").toString());
  }

  @Test
  void isThatOfTheLayer() throws IOException {
    Path document = damaged("document");
    assertNamed(document, document);
    assertNamed(document, document, "--layers", "3");
    assertNamed(document, document, "--examples", "3,0");
    Path own = damaged("own");
    Files.delete(own.resolve("saev-arrays.json"));
    assertNamed(own, own);
    assertNamed(own, own, "--layers", "3", "--examples", "2:4");
  }

  @Test
  void isThatOfTheDatasetAmongSeveral() throws IOException {
    Path document = damaged("document");
    Path sound =
        new NaiveActivations(4, List.of(1, 3), 5, 16, false, false)
            .writeSaev(folder.resolve("sound"));
    assertNamed(document, sound, "--with", document);
    Path layer = convert(sound, "layer", "npy", "--layers", "1");
    Path other = damaged("other");
    assertNamed(other, layer, "--with", other, "-Dsaev.input.1.layers=3");
  }
}
