package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.torch.file.TorchFile;
import org.saevhadoop.format.torch.file.TorchPickle;

/** Folders with files of several formats. */
class MixedFoldersTest {
  private static final Found LAYER =
      Found.of("F32", List.of(2L, 1L, 3L), NaiveTensors.floats(1, 2, 3, 4, 5, 6));

  @TempDir Path folder;
  private Path source;

  @BeforeEach
  void writeArrays() throws IOException {
    source = Files.createDirectories(folder.resolve("own"));
    OwnArrays.writeNpy(source.resolve("acts.npy"), DType.F32, List.of(4L, 3L), new byte[48]);
  }

  @Test
  void arraysInFilesOfTwoFormatsAreRefused() throws IOException {
    OwnArrays.torch(Map.of("layer_3", LAYER), source.resolve("acts.pt"));
    for (String verb : List.of("digest", "stats")) {
      Cli.run(verb, source).failsWith(ArrayError.AMBIGUOUS, source);
    }
    Cli.convert(source, folder.resolve("out"), "npy").failsWith(ArrayError.AMBIGUOUS, source);
    assertThat(Cli.run("digest", source, "--files=acts.pt").succeeds().text())
        .contains("examples=2 layers=3 ");
  }

  @Test
  void eachFormatIsProposed() throws Exception {
    OwnArrays.torch(Map.of("layer_3", LAYER), source.resolve("acts.pt"));
    assertThat(Cli.run("inspect", source).succeeds().text())
        .contains("which files are read, of the formats npy, torch")
        .contains("--to saev --from npy")
        .contains("--to saev --from torch");
    // a warning about dimensions must not suppress proposals
    OwnArrays.writeNpy(source.resolve("acts.npy"), DType.F32, List.of(4L, 2L, 3L), new byte[96]);
    for (ProposedCommand command : ProposedCommand.of(source)) {
      command.run(Files.createTempDirectory(folder, "out").resolve("npy"), "npy");
    }
    assertThat(Cli.run("inspect", source).text()).contains("--to saev --from npy");
    Cli.convert(source, folder.resolve("npy"), "npy", "--from", "npy").succeeds();
    Cli.convert(source, folder.resolve("torch"), "npy", "--from", "torch").succeeds();
    assertThat(folder.resolve("npy/layer_0.npy")).exists();
    assertThat(folder.resolve("torch/layer_3.npy")).exists();
  }

  @Test
  void eachVerbReadsTheFormatThatIsNamed() throws IOException {
    OwnArrays.torch(Map.of("layer_3", LAYER), source.resolve("acts.pt"));
    for (String verb : List.of("digest", "stats", "verify", "list", "inspect", "bench")) {
      List<String> brief =
          verb.equals("bench") ? List.of("--seconds=0.001", "--rounds=1") : List.of();
      Cli torch = Cli.run(verb, source, brief, "--json", "--from", "torch");
      assertThat(torch.succeeds().text()).as(verb).containsPattern("(\\[|: ?)3\\b");
    }
    Cli cat =
        Cli.run("cat", source, "--from", "torch", "--examples=:", "--layer", "3", "--token", "0");
    assertThat(cat.succeeds().text()).contains("4");
    Cli.run("shuffle", source, folder.resolve("rows"), "--to=npy", "--from=torch").succeeds();
    assertThat(folder.resolve("rows/layer_3.npy")).exists();
    assertThat(Cli.run("digest", source, "-D", "saev.input.format=torch").succeeds().text())
        .contains("layers=3 ");
    Cli.run("digest", source).failsWithText("expected --from with one of them, or --files");
    Cli next = Cli.run("inspect", source, "--from", "torch").succeeds();
    assertThat(next.text()).contains("--to saev --from torch").doesNotContain("--from npy");
    assertThat(next.stderr()).contains("verify " + source + " --from torch");
  }

  @Test
  void theFormatIsThatOfTheSourcesThatHaveSuchFiles() throws IOException {
    OwnArrays.torch(Map.of("layer_3", LAYER), source.resolve("acts.pt"));
    Path saev = folder.resolve("saev");
    Cli convert = Cli.convert(source, saev, "saev", "--from", "torch").succeeds();
    Path written = convert.lastLinePath();
    assertThat(convert.stderr()).contains("diff -D saev.input.0.format=torch " + source);
    assertThat(Cli.run("diff", source, written, "--from", "torch").succeeds().text())
        .contains("identical");
    Cli.run("diff", "-D", "saev.input.0.format=torch", source, written).succeeds();
    Cli.run("diff", source, source, "--from", "torch").succeeds();
    Cli none = Cli.run("diff", written, written, "--from", "torch").succeeds();
    assertThat(none.stderr()).contains("--from has no effect with a source of format saev");
    Cli both =
        Cli.run(
            "diff",
            "-D",
            "saev.input.0.format=npy",
            "-D",
            "saev.input.1.format=torch",
            source,
            source);
    assertThat(both.exitCode()).as(both.stderr()).isEqualTo(1);
  }

  @Test
  void integersInTheLikelierFormatAreNoActivations() throws IOException {
    Files.delete(source.resolve("acts.npy"));
    OwnArrays.writeNpy(source.resolve("labels.npy"), DType.I64, List.of(2L), new byte[16]);
    OwnArrays.torch(Map.of("layer_3", LAYER), source.resolve("acts.pt"));
    assertThat(Cli.run("digest", source).succeeds().text()).contains("examples=2 layers=3 ");
    assertThat(Cli.run("inspect", source).succeeds().text()).contains("format               torch");
    Cli.convert(source, folder.resolve("out"), "npy").succeeds();
  }

  @Test
  void aMaskInAnotherFormatIsNotLeftOutInSilence() throws Exception {
    Found mask = new Found("BOOL", List.of(4L), new byte[] {1, 1, 1, 0});
    OwnArrays.torch(Map.of("mask", mask), source.resolve("attention_mask.pt"));
    Cli.run("digest", source).failsWith(ArrayError.AMBIGUOUS, source.resolve("attention_mask.pt"));
    List<ProposedCommand> proposed = ProposedCommand.of(source);
    assertThat(proposed)
        .extracting(ProposedCommand::options)
        .containsExactly("--no-sample-metadata");
    proposed.get(0).run(folder.resolve("out"), "npy");
    assertThat(Cli.run("digest", source, "--files", "acts.npy").succeeds().text())
        .contains("examples=4 ");
  }

  @Test
  void proposedCommandsReadNoFileThatCannotBeRead() throws Exception {
    Files.writeString(source.resolve("names.npy"), "no array");
    List<ProposedCommand> proposed = ProposedCommand.of(source);
    assertThat(proposed).extracting(ProposedCommand::options).containsExactly("--files acts.npy");
    proposed.get(0).run(folder.resolve("out"), "npy");
  }

  @Test
  void statisticsInAnotherFormatAreNoActivations() throws IOException {
    Found mean = Found.of("F32", List.of(3L), NaiveTensors.floats(1, 2, 3));
    OwnArrays.torch(Map.of("layer_3", mean), source.resolve("count.pt"));
    assertThat(Cli.run("digest", source).succeeds().text()).contains("examples=4 layers=0 ");
  }

  @Test
  void aMaskInACompressedFileOfItsOwnLeavesOutTokens() throws IOException {
    Files.delete(source.resolve("acts.npy"));
    OwnArrays.writeNpy(source.resolve("X.npy"), DType.F32, List.of(2L, 2L, 3L), new byte[48]);
    byte[] mask = OwnArrays.npy(DType.BOOL, List.of(2L, 2L), new byte[] {1, 1, 1, 0});
    OwnArrays.zip(source.resolve("side.npz"), Map.of("attention_mask", mask));
    assertThat(Cli.run("inspect", source).succeeds().text())
        .contains("--ragged flatten")
        .contains("--ragged pad:2");
    Path out = folder.resolve("out");
    Cli.convert(source, out, "npy", "--ragged", "flatten").succeeds();
    assertThat(Cli.run("digest", out).succeeds().text()).contains("examples=3 ");
  }

  @Test
  void aTorchFileOfNumbersNextToTensorsIsLeftOutWithAWarning() throws IOException {
    Files.delete(source.resolve("acts.npy"));
    OwnArrays.torch(Map.of("layer_3", LAYER), source.resolve("acts.pt"));
    String numbers = TorchPickle.dict(TorchPickle.text("a"), "K\1", TorchPickle.text("b"), "K\2");
    Files.write(source.resolve("labels.pt"), TorchFile.of(numbers).bytes());
    assertThat(Cli.run("digest", source).succeeds().text()).contains("examples=2 layers=3 ");
    assertThat(Cli.run("inspect", source).succeeds().text())
        .contains("labels.pt: holds integers that match no tokens");
  }
}
