package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.converters.storage.SparseDataset;
import org.saevhadoop.format.dataset.Geometry;

/** The sizes of files that a conversion writes if none is given. */
@Tag("late")
class DefaultSizesTest extends ConvertedDatasets {
  private static final String MODEL = "saev --family clip --ckpt small";

  /** 12 examples of 4 tokens of 16 floats. */
  private Path threeKibibytes() throws IOException {
    Path file = folder.resolve("small.safetensors");
    Found acts = Found.of("F32", List.of(12L, 4L, 16L), new byte[3072]);
    NaiveTensors.write(file, Map.of("layer_0", acts));
    return file;
  }

  @ParameterizedTest
  @ValueSource(strings = {"legacy", "1.0.0", "1.1", "2.0", "2.1"})
  void threeKibibytesTakeLittleSpaceInEachProtocol(String protocol) throws IOException {
    Cli cli = Cli.convert(threeKibibytes(), folder.resolve("out"), MODEL, "--protocol", protocol);
    assertThat(cli.succeeds().stderr()).doesNotContain("on paper");
    Path dataset = cli.lastLinePath();
    Cli.run("verify", dataset, "--structure").findsNoProblem();
    assertThat(Files.size(dataset.resolve("acts000000.bin"))).isEqualTo(3072);
    assertThat(bytes(dataset)).isLessThan(100_000);
    assertThat(files(dataset)).doesNotContain("acts000001.bin");
  }

  @Test
  void theBudgetOfTheSourceIsKeptAndItsPaddingIsReported() throws IOException {
    Path wide = convert(threeKibibytes(), "wide", MODEL + " --tokens-per-shard 2400000");
    Cli cli = Cli.convert(wide, folder.resolve("again"), "saev").succeeds();
    assertThat(cli.stderr())
        .contains(
            "convert: source 3.0 KiB, target 146.5 MiB on paper, 3.0 KiB on disk",
            "convert: the last file is padded (--tail exact ends it with its examples)");
    assertThat(Files.size(cli.lastLinePath().resolve("acts000000.bin"))).isEqualTo(153_600_000);
    Path exact = convert(wide, "exact", "saev --tail exact");
    assertThat(Cli.problems(exact)).contains("convert the dataset again, with --tail full");
  }

  @Test
  void anyNumberOfTasksAndEitherPlanWriteTheSameFiles() throws IOException {
    assertSameFilesOf("safetensors");
  }

  @Test
  @Tag("long")
  void anyNumberOfTasksAndEitherPlanWriteTheSameContainers() throws IOException {
    assertSameFilesOf("samediff");
  }

  /** 70 MiB, so that there are two files, and the second one is short. */
  private void assertSameFilesOf(String to) throws IOException {
    Geometry geometry = new Geometry(70, List.of(3), 256, 1024);
    Path source = SparseDataset.create(folder.resolve("source"), geometry, 35);
    String tasks = "-Dmapreduce.local.map.tasks.maximum=";
    Path two = convert(source, "two", to, tasks + 2);
    Path shuffled = convert(source, "many", to, tasks + 64, "-Dsaev.convert.plan=shuffle");
    assertThat(files(two)).hasSize(3);
    assertSameFiles(shuffled, two);
  }

  private static long bytes(Path dataset) throws IOException {
    long bytes = 0;
    for (String name : files(dataset)) {
      bytes += Files.size(dataset.resolve(name));
    }
    return bytes;
  }
}
