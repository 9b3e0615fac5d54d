package org.saevhadoop.converters.sharedoptions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.samediff.ForeignContainer;
import org.saevhadoop.format.samediff.ForeignContainer.Storage;
import org.saevhadoop.format.torch.file.TorchFile;
import org.saevhadoop.format.torch.file.TorchPickle;

/**
 * Arrays with dimensions of 0, in each container and with each verb: 0 examples are an empty
 * dataset, and whatever else is 0 is refused in one line with the array and its shape.
 */
@Tag("late")
@Tag("sampled")
class ZeroSizesTest {
  private static final List<String> VERBS =
      List.of(
          "inspect", "convert", "shuffle", "stats", "digest", "verify", "list", "cat", "diff",
          "bench");

  /** Verbs that cannot do anything without vectors. */
  private static final List<String> NEED_VECTORS = List.of("cat", "bench");

  private static final int SAMPLE = 2;

  enum Container {
    NPY,
    NPZ,
    NPZ_DEFLATED,
    MEMMAP,
    SAFETENSORS,
    SAFETENSORS_MAPPED,
    TORCH,
    SDNB,
    SDNB_MAPPED,
    SDZ;

    boolean isTable() {
      return name().startsWith("SAFETENSORS") || name().startsWith("SD");
    }

    boolean isMapped() {
      return name().endsWith("_MAPPED");
    }

    /** Returns whether inspect lists the arrays as they are, whatever they mean. */
    boolean isListed() {
      return this == SAFETENSORS || name().startsWith("SD");
    }
  }

  @TempDir Path folder;

  private static String name(long... shape) {
    return shape.length == 4 ? "acts" : "layer_3";
  }

  private static Path write(Container container, Path at, long... shape) throws IOException {
    Files.createDirectories(at);
    byte[] values = new byte[(int) Arrays.stream(shape).reduce(1, (a, b) -> a * b) * 4];
    List<Long> sizes = Arrays.stream(shape).boxed().toList();
    switch (container) {
      case NPY:
        return Files.write(at.resolve("x.npy"), Sources.npy("<f4", values, shape));
      case NPZ, NPZ_DEFLATED:
        return Sources.zip(
            at.resolve("x.npz"),
            Map.of(name(shape) + ".npy", Sources.npy("<f4", values, shape)),
            container == Container.NPZ ? Deflater.NO_COMPRESSION : Deflater.BEST_SPEED);
      case MEMMAP:
        Files.write(at.resolve("x.memmap"), values);
        Files.writeString(
            at.resolve("x.meta"), "{\"shape\": %s, \"dtype\": \"float32\"}".formatted(sizes));
        return at;
      case SAFETENSORS, SAFETENSORS_MAPPED:
        Path file = at.resolve("x.safetensors");
        NaiveTensors.write(file, Map.of(name(shape), Found.of("F32", sizes, values)));
        return file;
      case TORCH:
        return Files.write(at.resolve("x.pt"), torch(values, shape));
      case SDNB, SDNB_MAPPED:
        return container(values, shape).write(at.resolve("x.sdnb"));
      default:
        Map<String, byte[]> entries = Map.of("model", container(values, shape).bytes());
        return Sources.zip(at.resolve("x.sdz"), entries, Deflater.NO_COMPRESSION);
    }
  }

  private static ForeignContainer container(byte[] values, long... shape) {
    return new ForeignContainer()
        .array(name(shape), StoredType.F32.sameDiff, Storage.APPENDED, 'c', values, shape);
  }

  private static byte[] torch(byte[] values, long... shape) {
    long[] strides = new long[shape.length];
    long stride = 1;
    for (int i = shape.length - 1; i >= 0; i--) {
      strides[i] = stride;
      stride *= Math.max(1, shape[i]);
    }
    String storage = TorchPickle.storage(TorchPickle.torch("FloatStorage"), "0", values.length / 4);
    String tensor = TorchPickle.tensor(storage, 0, shape, strides);
    return TorchFile.of(TorchPickle.dict(TorchPickle.text(name(shape)), tensor))
        .storage("0", values)
        .bytes();
  }

  /** Returns all shapes with a 0 that a container can have without other dimensions. */
  private static List<long[]> shapes(Container container) {
    List<long[]> shapes = new ArrayList<>();
    int least = container.isTable() && !container.isMapped() ? 3 : 2; // layer_3 has tokens
    for (int rank = least; rank <= 4; rank++) {
      for (int zeros = 1; zeros < 1 << rank; zeros++) {
        long[] shape = Arrays.copyOf(new long[] {3, 2, 5, 4}, rank);
        for (int i = 0; i < rank; i++) {
          shape[i] = (zeros >> i & 1) == 1 ? 0 : shape[i];
        }
        shapes.add(shape);
      }
    }
    return shapes;
  }

  private List<String> command(String verb, Path source, int turn) {
    List<String> command = new ArrayList<>(List.of(verb, source.toString()));
    switch (verb) {
      case "convert", "shuffle" ->
          command.addAll(
              List.of(folder.resolve("out" + turn + verb).toString(), "--to=npy", "--no-fsync"));
      case "diff" -> command.add(source.toString());
      case "cat" -> command.add("--examples=:");
      case "bench" -> command.addAll(List.of("--seconds=0.001", "--rounds=1"));
      default -> {}
    }
    return command;
  }

  @ParameterizedTest
  @EnumSource(Container.class)
  void aDatasetMayHaveNoExamplesAndNothingElseMayBeMissing(Container container) throws IOException {
    int turn = 0;
    for (long[] shape : shapes(container)) {
      Path source = write(container, folder.resolve("source" + turn), shape);
      List<String> words = new ArrayList<>();
      if (container.isMapped()) {
        List<String> axes = List.of("example,dim", "example,token,dim", "example,layer,token,dim");
        words.add("--tensor=%s=%s".formatted(name(shape), axes.get(shape.length - 2)));
      }
      boolean isEmpty = Arrays.stream(shape).skip(1).allMatch(size -> size > 0);
      for (int i = 0; i < (TestExtent.isWhole() ? VERBS.size() : SAMPLE); i++) {
        String verb = VERBS.get((turn + i * 7) % VERBS.size());
        Cli cli = Cli.run(command(verb, source, turn), words);
        String what = "%s of %s %s".formatted(verb, container, Arrays.toString(shape));
        if (isEmpty && !NEED_VECTORS.contains(verb)
            || verb.equals("inspect") && container.isListed()) {
          assertThat(cli.exitCode()).as("%s: %s", what, cli.stderr()).isZero();
        } else if (isEmpty) {
          Refusal.assertRefused(cli, what);
        } else {
          String text = verb.equals("verify") ? cli.text() : cli.stderr();
          assertThat(cli.exitCode())
              .as("%s: %s", what, text)
              .isEqualTo(verb.equals("diff") ? 3 : 1);
          assertThat(text)
              .as(what)
              .contains("/x.")
              .containsPattern("(the array|array %s) of shape ".formatted(name(shape)))
              .contains("of shape %s has 0 ".formatted(Arrays.toString(shape)));
        }
      }
      turn++;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 2000000000 5 2", "3 2000000000 0 2"})
  void aSmallFileCannotClaimBillionsOfLayers(String sizes) throws IOException {
    long[] shape = Arrays.stream(sizes.split(" ")).mapToLong(Long::parseLong).toArray();
    Cli cli = Cli.run("digest", write(Container.NPY, folder, shape));
    Refusal.assertRefused(cli, sizes);
    assertThat(cli.stderr()).contains("the array has 2000000000 layers");
  }

  @Test
  void aFileOfNoExamplesMayHaveAnyNumberOfTokens() throws IOException {
    Files.write(folder.resolve("0.npy"), Sources.npy("<f4", new byte[0], 0, 7, 2));
    Files.write(folder.resolve("1.npy"), Sources.npy("<f4", new byte[3 * 5 * 2 * 4], 3, 5, 2));
    Cli digest = Cli.run("digest", folder).succeeds();
    assertThat(digest.text()).contains("examples=3 layers=0 tokens=5 dim=2");
    assertThat(Cli.run("inspect", folder, "--json").succeeds().json().get("tokens").asInt())
        .isEqualTo(5);
  }

  @Test
  void examplesOfNoTokensAreFilledUpOrLeftOutOnRequest() throws IOException {
    Path file = write(Container.NPY, folder, 3, 0, 5);
    assertThat(Cli.run("digest", file, "--ragged=pad:4").succeeds().text())
        .contains("examples=3 layers=0 tokens=4 dim=5");
    assertThat(Cli.run("digest", file, "--ragged=flatten").succeeds().text())
        .contains("examples=0 layers=0 tokens=1 dim=5");
  }
}
