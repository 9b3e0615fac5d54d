package org.saevhadoop.converters.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.arrays.OwnArrays;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.tensor.DType;

/** Each command that a note, a proposal or an error prints succeeds when it is pasted. */
@Tag("sampled")
class PastedCommandsIT {
  private static final Pattern FILES = Pattern.compile(".*/(scripts|safetensors|samediff)/[^/]+");
  private static final List<String> FORMATS =
      List.of("saev", "safetensors", "samediff", "npy", "pickle");

  @TempDir Path folder;
  private final Random random = new Random(11);
  private PastedCommands commands;

  @BeforeEach
  void makeCommands() {
    commands = new PastedCommands(folder);
  }

  /** Describes a dataset, and reads it in two other ways, or in a sample, in one. */
  private void read(Object source, Object... options) throws Exception {
    commands.type("inspect", source, options);
    for (Object[] command :
        sampled(
            List.of(
                new Object[] {"verify", source},
                new Object[] {"list", source},
                new Object[] {"digest", source},
                new Object[] {"stats", source},
                new Object[] {"digest", source, "--save=" + commands.newPath()},
                new Object[] {"diff", source, source},
                new Object[] {"diff", source, Fixtures.small()}))) {
      commands.type(command, options);
    }
  }

  /** Converts to some of the formats or shuffles. */
  private void write(Object source, List<String> formats, Object... options) throws Exception {
    List<Object[]> verbs = new ArrayList<>();
    verbs.add(new Object[] {"shuffle", source, commands.newPath()});
    for (String format : formats) {
      verbs.add(new Object[] {"convert", source, commands.newPath(), "--to", format});
    }
    for (Object[] verb : sampled(verbs)) {
      commands.type(verb, "--no-fsync", options);
    }
  }

  private <T> List<T> sampled(List<T> all) {
    List<T> shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, random);
    return shuffled.subList(0, Math.min(all.size(), TestExtent.of(1, 2)));
  }

  /** Returns the folders below a folder, and files that are no part of a dataset. */
  private static List<Path> below(Path folder, int depth) throws IOException {
    try (Stream<Path> paths = Files.walk(folder, depth)) {
      return paths
          .filter(path -> Files.isDirectory(path) || FILES.matcher(path.toString()).matches())
          .sorted()
          .toList();
    }
  }

  @Test
  void commandsForTheFixturesSucceed() throws Exception {
    for (Path source : below(Corpus.checkout().resolve("fixtures"), 3)) {
      if (TestExtent.isWhole() || random.nextInt(5) == 0) {
        read(source);
        write(source, FORMATS);
      }
    }
    commands.allSucceed(TestExtent.of(20, 100));
  }

  @Test
  void commandsThatKeepTypedOptionsSucceed() throws Exception {
    for (String name : List.of("vllm", "speculators", "llamascopium/blocks.3.hook_resid_post")) {
      for (String options :
          List.of("--ragged flatten", "--ragged truncate:3", "--no-sample-metadata", "--limit 2")) {
        read(Fixtures.arrays(name), List.of(options.split(" ")));
        write(Fixtures.arrays(name), List.of("npy"), List.of(options.split(" ")));
      }
    }
    Path ragged = Fixtures.pickle("ragged");
    read(ragged, "-D", "saev.input.ragged=pad:9");
    write(ragged, FORMATS, "-D", "saev.input.ragged=pad:9");
    commands.allSucceed(TestExtent.of(10, 20));
  }

  @Test
  void commandsForTypesThatNotAllFormatsHoldSucceed() throws Exception {
    Path source = folder.resolve("own data's");
    for (DType dtype : List.of(DType.F64, DType.BF16, DType.I16, DType.F8_E4M3)) {
      Path file = source.resolve(dtype + "/a.safetensors");
      Files.createDirectories(file.getParent());
      OwnArrays.writeTensors(file, dtype, List.of("hidden_states"), List.of(2L, 3L, 4L));
      read(file.getParent());
      write(file.getParent(), FORMATS);
    }
    commands.allSucceed(TestExtent.of(5, 10));
  }

  @Test
  @RequiresCorpus
  void commandsForTheCorpusSucceed() throws Exception {
    for (String part : List.of("arrays", "pickle", "saev", "safetensors", "samediff")) {
      for (Path source : below(Corpus.part(part), 4)) {
        commands.type("inspect", source);
        commands.type("verify", source);
        commands.type("digest", source);
        commands.type("convert", source, commands.newPath(), "--to", "saev", "--no-fsync");
      }
    }
    commands.allSucceed(300);
  }
}
