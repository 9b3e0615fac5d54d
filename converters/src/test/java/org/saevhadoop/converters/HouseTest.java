package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.SourceCount.CountCommand;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.mapreduce.ToyFormat;

/**
 * A new format and a new verb are new files and one line in a list: a format that is only read, a
 * container of arrays, and a verb over two sources with its command. No main file knows them.
 */
class HouseTest {
  private static final List<Commands.Entry> COMMANDS = new ArrayList<>(Main.COMMANDS);
  private static final List<DatasetFormat> FORMATS = new ArrayList<>(ToyFormat.FORMATS.all());

  static {
    FORMATS.add(new ToyArrays());
    COMMANDS.add(new Commands.Entry("count", CountCommand::new));
  }

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path toy;
  private Path saev;

  @BeforeEach
  void write() throws IOException {
    toy = Files.createDirectory(folder.resolve("toy"));
    Files.write(toy.resolve(ToyFormat.FILE), new byte[] {3, 5, 7});
    saev = Fixtures.small();
  }

  private int run(Object... words) {
    out.reset();
    err.reset();
    Main main =
        new Main(new PrintStream(out), new PrintStream(err), new DatasetFormats(FORMATS), COMMANDS);
    String[] texts = List.of(words).stream().map(String::valueOf).toArray(String[]::new);
    return main.run(new Configuration(), texts);
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theVerbReadsTwoSourcesOfTwoFormats() {
    assertThat(run("count", saev, toy)).as(errors()).isZero();
    assertThat(lines()).containsExactly(saev + " " + 7 * 3 * 10 * 16, toy + " 3");
    assertThat(errors()).isEmpty();
  }

  @Test
  void anOptionAppliesToAllSourcesAndAKeyOfOneSourceToThatOne() {
    assertThat(run("count", saev, toy, "--limit", 2)).as(errors()).isZero();
    assertThat(lines()).containsExactly(saev + " " + 2 * 3 * 10 * 16, toy + " 2");
    assertThat(run("count", "-D", "saev.input.1.examples=2", saev, toy)).as(errors()).isZero();
    assertThat(lines()).containsExactly(saev + " " + 7 * 3 * 10 * 16, toy + " 1");
    assertThat(run("count", "-D", "saev.input.0.limit=1", "-D", "saev.input.limit=2", saev, toy))
        .as(errors())
        .isZero();
    assertThat(lines()).containsExactly(saev + " " + 3 * 10 * 16, toy + " 2");
    assertThat(errors()).isEmpty();
  }

  @Test
  void aKeyOfOneSourceIsCheckedAsTheKeyOfAll() {
    assertThat(run("count", "-D", "saev.input.0.limit=none", saev, toy)).isEqualTo(2);
    assertThat(errors()).contains("limit is \"none\" (expected at least 1, or -1 for all of them)");
    assertThat(run("count", "-D", "saev.input.1.limti=1", saev, toy)).isZero();
    assertThat(errors()).startsWith("warning: saev.input.1.limti is not a known key (did you mean");
  }

  @Test
  void aStreamIsStagedForTheVerb() {
    Path pickle = Fixtures.pickle("spec");
    assertThat(run("count", pickle, toy)).as(errors()).isZero();
    assertThat(lines()).hasSize(2).last().isEqualTo(toy + " 3");
  }

  @Test
  void theReadOnlyFormatIsReadByAllCommands() {
    assertThat(run("inspect", toy)).isZero();
    assertThat(lines()).containsExactly("format               toy");
    assertThat(run("digest", toy)).as(errors()).isZero();
    String digest = lines().get(0);
    Path target = folder.resolve("acts");
    assertThat(run("convert", "--from", "toy", toy, target, "--to", "safetensors", "--verify"))
        .as(errors())
        .isZero();
    assertThat(run("digest", target)).isZero();
    assertThat(lines()).containsExactly(digest);
  }

  @Test
  void aContainerOfArraysIsReadByAllCommands() throws IOException {
    Path arrays = Files.createDirectory(folder.resolve("arrays"));
    for (int layer : new int[] {3, 11}) {
      ByteBuffer values = ByteBuffer.allocate(4 * 2 * 3 * Float.BYTES);
      values.order(ByteOrder.LITTLE_ENDIAN).putFloat(layer).putFloat(0.5f);
      ByteArrayOutputStream file = new ByteArrayOutputStream();
      file.writeBytes("acts 4 2 3\n\n".getBytes(StandardCharsets.US_ASCII));
      file.writeBytes(values.array());
      Files.write(arrays.resolve("layer_" + layer + ".toys"), file.toByteArray());
    }
    assertThat(run("digest", arrays)).as(errors()).isZero();
    String digest = lines().get(0);
    assertThat(digest).endsWith("examples=4 layers=3,11 tokens=2 dim=3");
    assertThat(run("inspect", arrays, "--json")).as(errors()).isZero();
    assertThat(String.join("", lines()).replace(" ", "")).contains("\"layers\":[3,11]");
    assertThat(run("verify", arrays)).as(errors()).isZero();
    assertThat(run("stats", arrays, "--json")).as(errors()).isZero();
    Path target = folder.resolve("acts");
    assertThat(run("convert", arrays, target, "--to", "safetensors", "--verify"))
        .as(errors())
        .isZero();
    assertThat(run("diff", arrays, target)).as(errors()).isZero();
    assertThat(run("digest", target)).isZero();
    assertThat(lines()).containsExactly(digest);
    Path shuffled = folder.resolve("shuffled");
    assertThat(run("shuffle", arrays, shuffled, "--to", "npy", "--seed", 1, "--unit", "example"))
        .as(errors())
        .isZero();
    assertThat(run("digest", shuffled)).as(errors()).isZero();
    assertThat(lines().get(0)).endsWith("examples=4 layers=3,11 tokens=2 dim=3");
  }

  @Test
  void theReadOnlyFormatIsNotOfferedForWriting() {
    assertThat(run("convert", saev, folder.resolve("acts"), "--to", "toy")).isEqualTo(2);
    assertThat(errors())
        .contains(
            "unknown format \"toy\" (expected one of [saev, safetensors, pickle, samediff, npy, parquet])");
    assertThat(run("convert", "--help")).isZero();
    assertThat(String.join(" ", lines()).replaceAll("\\s+", " "))
        .contains("The format to write: saev, safetensors, pickle, samediff, npy, parquet.")
        .doesNotContain("to toy");
    assertThat(run("generate-completion")).isZero();
    assertThat(lines())
        .filteredOn(line -> line.contains("\"samediff\""))
        .anyMatch(line -> line.contains("\"toy\""))
        .anyMatch(line -> !line.contains("\"toy\""));
  }
}
