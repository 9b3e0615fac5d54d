package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.dataset.DatasetError;

/** The last examples where they do not fill a file of batches; and where its data begins. */
@Tag("late")
class ConvertTailTest extends ConvertedDatasets {

  @ParameterizedTest
  @CsvSource({"layers,3,map-only", "acts,4,shuffle", "layers,7,map-only", "acts,10,map-only"})
  void paddingIsWrittenAndIsNoExampleWhenItIsRead(String columns, int batch, String plan)
      throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    Path padded = folder.resolve("padded");
    Object[] options = {"--tail", "pad", "--columns", columns, "-Dsaev.convert.plan=" + plan};
    Cli cli = tensors(source, padded, batch, options).succeeds();
    int padding = (batch - 7 % batch) % batch;
    assertThat(cli.stderr().contains("warning: " + examples(padding) + " added as zeros"))
        .isEqualTo(padding > 0);
    Path plain = folder.resolve("plain");
    tensors(source, plain, batch, "--columns", columns).succeeds();
    Map<String, Found> expected = NaiveTensors.batches(plain);
    Map<String, Found> found = NaiveTensors.batches(padded);
    assertThat(found.keySet()).isEqualTo(expected.keySet()).contains("labels");
    for (String name : found.keySet()) {
      Found tensor = found.get(name);
      assertThat(tensor.shape().get(0)).isEqualTo(7 + padding);
      byte[] wanted = expected.get(name).bytes();
      assertThat(tensor.bytes())
          .isEqualTo(Arrays.copyOf(wanted, wanted.length / 7 * (7 + padding)));
    }
    for (Path part : NaiveTensors.parts(padded)) {
      NaiveTensors.file(part).values().forEach(t -> assertThat(t.shape().get(0)).isEqualTo(batch));
    }
    assertComesBack(padded, source, "a");
    Path keys = convert(padded, "keys", "safetensors --kv");
    assertComesBack(keys, source, "b");
    Path last = NaiveTensors.parts(padded).get(NaiveTensors.parts(padded).size() - 1);
    Files.delete(padded.resolve("dataset_manifest.json"));
    assertComesBack(padded, source, "c");
    assertThat(digest(padded)).isEqualTo(digest(source));
    long alone = Cli.run("inspect", last, "--json").json().path("tensors").size();
    assertThat(alone).isEqualTo(found.size());
  }

  @ParameterizedTest
  @CsvSource({"layers,3,map-only", "acts,4,shuffle", "layers,7,map-only"})
  void whatDoesNotFillAFileIsDroppedWithItsLabels(String columns, int batch, String plan)
      throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    Path dropped = folder.resolve("dropped");
    Object[] options = {"--tail", "drop", "--columns", columns, "-Dsaev.convert.plan=" + plan};
    Cli cli = tensors(source, dropped, batch, options).succeeds();
    int left = 7 / batch * batch;
    assertThat(cli.stderr().contains("warning: the last " + examples(7 - left) + " left out"))
        .isEqualTo(left < 7);
    Path plain = folder.resolve("plain");
    tensors(source, plain, batch, "--columns", columns).succeeds();
    Map<String, Found> expected = NaiveTensors.batches(plain);
    Map<String, Found> found = NaiveTensors.batches(dropped);
    assertThat(found.keySet()).isEqualTo(expected.keySet()).contains("labels");
    for (String name : found.keySet()) {
      byte[] wanted = expected.get(name).bytes();
      assertThat(found.get(name).bytes())
          .isEqualTo(Arrays.copyOf(wanted, wanted.length / 7 * left));
    }
    Path saev = convert(dropped, "saev", "saev");
    assertThat(Cli.run("inspect", saev, "--json").json().get("examples").asInt()).isEqualTo(left);
  }

  @Test
  void aTailThatLeavesNothingIsRefused() throws IOException {
    Path source = Fixtures.small();
    Path out = folder.resolve("out");
    tensors(source, out, 8, "--tail", "drop").failsWith(DatasetError.EMPTY_SELECTION, source);
    assertThat(files(folder)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 4096})
  void dataBeginsAtMultiplesOfTheAlignment(int alignment) throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    for (String layout :
        List.of(
            "--batch-size 3",
            "--batch-size 3 --tail pad --columns acts",
            "--kv -Dsaev.output.header.bytes=3000")) {
      Path out =
          convert(source, "out", "safetensors " + layout, "--overwrite", "--align", alignment);
      for (Path part : NaiveTensors.parts(out)) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        NaiveTensors.file(part).values().forEach(tensor -> data.writeBytes(tensor.bytes()));
        assertThat((Files.size(part) - data.size()) % alignment).isZero();
      }
      assertComesBack(out, source, "saev" + layout.hashCode());
    }
  }

  private void assertComesBack(Path tensors, Path source, String name) throws IOException {
    Path back = convert(tensors, name, "saev");
    Fixtures.assertSameDataset(back, source);
  }

  private static Cli tensors(Path from, Path to, int batch, Object... more) {
    return Cli.convert(from, to, "safetensors --batch-size " + batch, more);
  }

  private static String examples(int count) {
    return count == 1 ? "1 example is" : count + " examples are";
  }
}
