package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.storage.LocalTree;
import org.saevhadoop.format.tensor.DType;

/** Datasets of .npy files that are written. */
@Tag("late")
class WrittenArraysTest extends ConvertedDatasets {
  private Path source;
  private String digest;

  @BeforeEach
  void findValues() throws IOException {
    source = Fixtures.small();
    digest = digest(source);
  }

  private static Set<String> names(Path dataset) throws IOException {
    try (Stream<Path> files = Files.list(dataset)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "npy",
        "npy --max-npy-bytes 1500",
        "npy --max-npy-bytes 1",
        "npy -D saev.convert.plan=shuffle",
        "npy --max-npy-bytes 1500 -D saev.convert.plan=shuffle"
      })
  void whatIsWrittenIsRead(String to) throws IOException {
    Path npy = convert(source, "written", to + " --verify");
    assertThat(names(npy)).contains("saev-arrays.json");
    assertThat(digest(npy)).isEqualTo(digest);
    Cli.run("verify", npy, "--structure").findsNoProblem();
  }

  @Test
  void aDatasetOfNpyFilesMayBeReplaced() throws IOException {
    Path npy = convert(source, "written", "npy --max-npy-bytes 1500");
    Cli.convert(source, npy, "npy", "--overwrite").succeeds();
    assertThat(names(npy))
        .contains("saev-arrays.json")
        .noneMatch(name -> name.matches(".*\\.[0-9]+\\.npy"));
    assertThat(digest(npy)).isEqualTo(digest);
  }

  @Test
  void bfloatsAreReadAsTheDocumentNamesThem() throws IOException {
    Cli cli = Cli.convert(source, folder.resolve("bf16"), "npy", "--dtype", "BF16").succeeds();
    assertThat(cli.stderr()).contains("numpy has no BF16");
    Path tensors = convert(source, "tensors", "safetensors --dtype BF16");
    assertThat(digest(folder.resolve("bf16"))).isEqualTo(digest(tensors));
    Path layer = folder.resolve("bf16/layer_13.npy");
    Cli.run("digest", layer).failsWith(NpyError.UNKNOWN_DTYPE, layer);
    assertThat(Cli.run("digest", layer, "--dtype-stored", "BF16").succeeds().text())
        .isEqualTo(Cli.run("digest", tensors, "--layers", "13").succeeds().text());
  }

  @Test
  void labelsAndMetadataComeBack() throws IOException {
    Path labelled = Fixtures.labelled(Fixtures.SMALL, folder.resolve("labelled-source"));
    Path npy = convert(labelled, "labelled", "npy --max-npy-bytes 1500");
    assertThat(names(npy)).contains("labels.00000.npy");
    Path back = Cli.convert(npy, folder.resolve("back"), "saev").succeeds().lastLinePath();
    assertThat(back.getFileName()).isEqualTo(source.getFileName());
    assertThat(back.resolve("labels.bin")).hasSameBinaryContentAs(labelled.resolve("labels.bin"));
    assertThat(back.resolve("metadata.json"))
        .hasSameBinaryContentAs(labelled.resolve("metadata.json"));
  }

  @Test
  void sampleMetadataIsKept() throws IOException {
    Path saev = new NaiveActivations(5, List.of(3, 7), 4, 3, true, true).writeSaev(folder);
    Path npy = convert(saev, "npy", "npy --max-npy-bytes 100");
    assertThat(Cli.run("cat", npy, "--sample-metadata").succeeds().text())
        .isEqualTo(Cli.run("cat", saev, "--sample-metadata").succeeds().text());
    Cli.assertSound(npy);
  }

  @Test
  void aPartOfADatasetIsWritten() throws IOException {
    String part = "--examples 1:3 --tokens 0:2";
    Path npy = convert(source, "part", "npy " + part);
    assertThat(digest(npy)).isEqualTo(digest(convert(source, "same", "safetensors " + part)));
  }

  /** Numpy reads any name, so a name that leads upwards is a key, and never a path. */
  @ParameterizedTest
  @ValueSource(
      strings = {"npy", "safetensors", "safetensors --kv", "samediff", "pickle", "parquet"})
  void aNameThatLeadsUpwardsIsNoPath(String format) throws IOException {
    byte[] ids = OwnArrays.npy(DType.I32, List.of(2L, 3L), new byte[2 * 3 * Integer.BYTES]);
    byte[] layer = OwnArrays.npy(DType.F32, List.of(2L, 3L, 1L), new byte[2 * 3 * Float.BYTES]);
    Path in = Files.createDirectories(folder.resolve("a/b/in"));
    Path npz = in.resolve("x.npz");
    OwnArrays.zip(npz, Map.of("../../layer_3", layer, "../../ids", ids));
    Path tensors = in.resolve("x.safetensors");
    OwnArrays.writeTensors(tensors, List.of("../../layer_3"), List.of(2L, 3L, 1L));
    for (Path upwards : List.of(npz, tensors)) {
      Path out = folder.resolve("a/b/out");
      Cli.convert(upwards, out, format).succeeds();
      assertThat(names(out)).allMatch(name -> name.matches("[a-z_][A-Za-z0-9._-]*"));
      assertThat(names(folder.resolve("a"))).containsExactly("b");
      assertThat(names(folder.resolve("a/b"))).containsExactlyInAnyOrder("in", "out");
      assertThat(names(in)).containsExactlyInAnyOrder("x.npz", "x.safetensors");
      LocalTree.delete(out);
    }
  }

  @Test
  void typesThatNumpyLacksAreRefused() {
    Cli.convert(source, folder.resolve("f8"), "npy", "--dtype", "F8_E4M3").failsAsUsage("F8_E4M3");
  }
}
