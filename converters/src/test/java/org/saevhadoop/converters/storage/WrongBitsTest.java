package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.jobs.check.VerifyError;
import org.saevhadoop.mapreduce.FaultyFileSystem;

/**
 * One flipped bit anywhere in the files of each format is found: by {@code digest --expect} on a
 * disk that changed it later, and by {@code convert --verify} on one that changes it while it is
 * written or read.
 */
@Tag("late")
@Tag("sampled")
class WrongBitsTest {
  private static final int FLIPS = TestExtent.of(1, 12);

  private static final NaiveActivations VALUES =
      new NaiveActivations(7, List.of(3, 9), 4, 5, true, true);

  /** The options with which each form is written. */
  private static final Map<String, String> FORMS = new LinkedHashMap<>();

  @TempDir static Path folder;
  private static Path source;
  private static final Map<String, Path> WRITTEN = new LinkedHashMap<>();

  private record Bit(String file, long number) {
    static Bit of(Path dataset, Random random) throws IOException {
      List<String> files = ConvertTest.files(dataset);
      String file = files.get(random.nextInt(files.size()));
      return new Bit(file, random.nextLong(Files.size(dataset.resolve(file)) * Byte.SIZE));
    }

    void flip(Path dataset) throws IOException {
      try (RandomAccessFile bytes = new RandomAccessFile(dataset.resolve(file).toFile(), "rw")) {
        bytes.seek(number / Byte.SIZE);
        int old = bytes.read();
        bytes.seek(number / Byte.SIZE);
        bytes.write(old ^ 1 << number % Byte.SIZE);
      }
    }
  }

  static {
    FORMS.put("saev", "--to saev");
    FORMS.put("saev 2.1", "--to saev --protocol 2.1");
    FORMS.put("layers", "--to safetensors --batch-size 3");
    FORMS.put("acts", "--to safetensors --columns acts --batch-size 4 --tail pad --align 64");
    FORMS.put("keys", "--to safetensors --kv -Dsaev.output.header.bytes=1500");
    FORMS.put("columns", "--to safetensors --dtype layer_3=F64 --dtype layer_9=F16");
    FORMS.put(
        "keyed columns",
        "--to safetensors --kv --dtype layer_3=F64 --dtype layer_9=I8 --range wrap");
    FORMS.put("pkl.gz", "--to pickle -Dsaev.output.pickle.created=2026-01-31T12:00:00Z");
    FORMS.put("pkl", "--to pickle --dialect real --uncompressed");
    FORMS.put("sdnb", "--to samediff --max-shard-bytes 600");
    FORMS.put("sdz", "--to samediff --container sdz");
    FORMS.put("deflated", "--to samediff --container sdz --deflate");
  }

  static Stream<String> formNames() {
    return FORMS.keySet().stream();
  }

  @BeforeAll
  static void writeEachForm() throws IOException {
    source = VALUES.writeSaev(folder.resolve("source"));
    for (String form : FORMS.keySet()) {
      Cli cli = convert(new Configuration(), form, folder.resolve(form).toString()).succeeds();
      WRITTEN.put(form, cli.lastLinePath());
    }
  }

  private static Cli convert(Configuration conf, String form, String out, String... more) {
    return Cli.run(conf, "convert", source, out, FORMS.get(form).split(" "), more);
  }

  @ParameterizedTest
  @MethodSource("formNames")
  void digestFindsABitThatWasFlipped(String form) throws IOException {
    Path dataset = WRITTEN.get(form);
    Path sums = folder.resolve(form + ".sums");
    String line = Cli.run("digest", dataset, "--save=" + sums).succeeds().lastLine();
    for (int seed = 0; seed < FLIPS; seed++) {
      Bit bit = Bit.of(dataset, new Random(seed));
      bit.flip(dataset);
      Cli cli = Cli.run("digest", dataset, "--expect", sums);
      bit.flip(dataset);
      assertFound(form, bit, cli);
    }
    Cli cli = Cli.run("digest", dataset, "--expect", sums).succeeds();
    assertThat(cli.lastLine()).isEqualTo(line);
  }

  @ParameterizedTest
  @MethodSource("formNames")
  void convertFindsABitThatTheDiskFlips(String form) throws IOException {
    Path dataset = WRITTEN.get(form);
    for (int seed = 0; seed < FLIPS; seed++) {
      Random random = new Random(seed);
      Bit bit = Bit.of(dataset, random);
      boolean reading = random.nextBoolean();
      Configuration conf = FaultyFileSystem.flipping(bit.file(), bit.number(), reading);
      String place = FaultyFileSystem.uri(folder.resolve(form + seed));
      assertFound(form, bit, convert(conf, form, place, "--verify"));
      // it is found before the dataset is published
      assertThat(folder.resolve(form + seed)).doesNotExist();
      assertThat(KilledRun.folder(folder.resolve(form + seed))).doesNotExist();
    }
  }

  @Test
  void aDiskThatFlipsNoBitIsSound() {
    String out = FaultyFileSystem.uri(folder.resolve("sound"));
    convert(FaultyFileSystem.conf(), "layers", out, "--verify").succeeds();
  }

  private static void assertFound(String form, Bit bit, Cli cli) {
    String what = form + " " + bit + " " + cli.stderr();
    assertThat(cli.exitCode()).as(what).isEqualTo(1);
    assertThat(cli.text()).as(what).isEmpty();
    assertThat(ErrorAssertions.find(cli.failure()).path()).as(what).contains(folder.toString());
  }

  @Test
  void theLineNamesTheValueThatDiffers() {
    // the values of layer 9, example 1: after the header and three blocks of 4 tokens, 5 values
    Configuration conf =
        FaultyFileSystem.flipping("acts000000.bin", ((3 * 20 + 7) * 4 + 2) * 8, false);
    Path out = folder.resolve("named");
    Cli cli = convert(conf, "saev", FaultyFileSystem.uri(out), "--verify");
    cli.failsWith(VerifyError.DIFFERENT, "acts000000.bin")
        .failsWithText("example 1 layer 9, value 7, at byte 270 is 0x");
  }

  @Test
  void theLineNamesTheValueOfAnArrayThatIsAligned() throws IOException {
    String name = "activations.shard2-of-4.sdnb";
    byte[] file = Files.readAllBytes(WRITTEN.get("sdnb").resolve(name));
    // the second shard begins with example 3
    byte[] vector = VALUES.vector(4, 9, 1);
    int at = 0;
    while (!Arrays.equals(file, at, at + vector.length, vector, 0, vector.length)) {
      at++;
    }
    Configuration conf = FaultyFileSystem.flipping(name, (at + 9L) * 8, false);
    Cli cli = convert(conf, "sdnb", FaultyFileSystem.uri(folder.resolve("array")), "--verify");
    cli.failsWithText(name + ": example 4 layer 9, value 7, at byte " + (at + 9) + " is 0x");
  }
}
