package org.saevhadoop.converters.projection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.format.TestExtent;

/**
 * Datasets in random formats as one, more examples or more layers: their digest and what is written
 * have the values that plain code takes.
 */
@Tag("late")
@Tag("sampled")
class SeveralSourcesPropertyTest {
  private static final int CASES = TestExtent.of(12, 200);

  private static final NaiveActivations ALL =
      new NaiveActivations(13, List.of(-2, 3, 4, 5, 8), 5, 3, false, false);

  private static final List<String> FORMS =
      List.of(
          "--to saev",
          "--to npy",
          "--to parquet --max-parquet-bytes 300",
          "--to parquet --unit example --max-parquet-bytes 700",
          "--to safetensors --batch-size 3",
          "--to safetensors --kv",
          "--to pickle",
          "--to samediff --max-shard-bytes 700",
          "--to samediff --container sdz --deflate");

  @TempDir static Path folder;
  private static Path plain;

  @BeforeAll
  static void write() throws IOException {
    plain = ALL.writeSaev(folder.resolve("all"));
  }

  static IntStream seeds() {
    return IntStream.range(0, CASES);
  }

  /** A part of all values, in files. */
  private record Piece(Path path, List<Integer> examples, List<Integer> layers) {}

  private Piece piece(String name, List<Integer> examples, List<Integer> layers, Random random) {
    Path path = folder.resolve(name);
    Cli written =
        Cli.run(
            "convert",
            plain,
            path,
            FORMS.get(random.nextInt(FORMS.size())).split(" "),
            "--examples=" + text(examples),
            "--layers=" + text(layers));
    return new Piece(written.succeeds().lastLinePath(), examples, layers);
  }

  private static String text(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static List<Integer> shuffled(List<Integer> list, Random random) {
    List<Integer> shuffled = new ArrayList<>(list);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  /** Divides a list into a few parts, none of which is empty. */
  private static List<List<Integer>> divided(List<Integer> list, Random random) {
    List<List<Integer>> parts = new ArrayList<>();
    for (int start = 0; start < list.size(); ) {
      int end = Math.min(list.size(), start + 1 + random.nextInt((list.size() + 1) / 2));
      parts.add(list.subList(start, end));
      start = end;
    }
    return parts;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void severalAreWhatPlainCodeTakes(int seed) throws IOException {
    Random random = new Random(seed);
    List<Integer> numbers = IntStream.range(0, ALL.examples()).boxed().toList();
    List<Integer> examples = numbers.subList(0, 4 + random.nextInt(9));
    List<Integer> layers = shuffled(ALL.layers(), random).subList(0, 1 + random.nextInt(4));
    boolean moreExamples = random.nextBoolean() || layers.size() == 1;
    List<Piece> pieces = new ArrayList<>();
    for (List<Integer> part : divided(moreExamples ? examples : layers, random)) {
      String name = seed + "-" + pieces.size();
      pieces.add(
          moreExamples
              ? piece(name, part, shuffled(layers, random), random)
              : piece(name, examples, part, random));
    }
    List<Object> sources = new ArrayList<>(List.of(pieces.get(0).path()));
    pieces
        .subList(1, pieces.size())
        .forEach(piece -> sources.addAll(List.of("--with", piece.path())));
    List<Integer> tokens = IntStream.range(0, ALL.tokens()).boxed().toList();
    String expected = ALL.digestLine(examples, layers, tokens);
    assertThat(Cli.run("digest", sources).succeeds().lastLine())
        .as("seed %d: %s", seed, pieces)
        .isEqualTo(expected);
    int limit = 1 + random.nextInt(examples.size());
    Cli written =
        Cli.run(
            "convert",
            sources.get(0),
            folder.resolve("out" + seed),
            sources.subList(1, sources.size()),
            FORMS.get(random.nextInt(FORMS.size())).split(" "),
            "--family=clip",
            "--ckpt=x",
            "--verify",
            "--limit",
            limit);
    assertThat(written.exitCode()).as("seed %d: %s", seed, written.stderr()).isZero();
    assertThat(Cli.run("digest", written.lastLinePath()).succeeds().lastLine())
        .as("seed %d: %s", seed, pieces)
        .isEqualTo(ALL.digestLine(examples.subList(0, limit), layers, tokens));
    Cli.assertSound(written.lastLinePath());
  }
}
