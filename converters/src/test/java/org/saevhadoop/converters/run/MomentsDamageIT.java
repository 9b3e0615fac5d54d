package org.saevhadoop.converters.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.arrays.OwnArrays;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.testing.Programs;

/**
 * Staged data that was damaged after a run was killed, as by a power failure: {@code --resume} ends
 * with the dataset that a run without damage writes, and names the file. it/moments damages all
 * kinds of files in all ways, {@code mvn verify} a sample.
 */
@Tag("sampled")
@Order(3)
class MomentsDamageIT {
  private static final int PAGE_BYTES = 4096;

  /** Files that are written again in each run from what others contain, or not read again. */
  private static final String WRITTEN_AGAIN =
      "kept-tokens|chosen-.*|places-.*|_unpacked|_entries\\.json|done-(plan|joined)";

  @TempDir static Path temporary;
  private static final Map<String, Killed> RUNS = new HashMap<>();
  private static final Map<String, Object[]> SOURCES = new TreeMap<>();

  /** A run that is killed when some files of the dataset are complete. */
  private record Killed(RecordedRun run, int call, Path place, Path expected, Object[] command) {
    Path out() {
      return place.resolve("out");
    }

    void restore() throws IOException {
      run.restore(call);
    }

    Path run(String pattern) throws IOException {
      try (Stream<Path> entries = Files.list(place)) {
        return entries
            .filter(entry -> entry.getFileName().toString().matches(pattern))
            .findFirst()
            .orElseThrow();
      }
    }

    /** Returns the folder of the run that staged. */
    Path staging() throws IOException {
      return run("_out\\.[0-9a-f]+\\.saev-hadoop");
    }

    Path data() throws IOException {
      return staging().resolve("data");
    }

    Cli resume(String options) {
      return Cli.run(command, "--resume", options.isEmpty() ? List.of() : options);
    }
  }

  /** What may have happened to a file. */
  private enum Damage {
    TRUNCATED,
    EMPTY,
    LONGER,
    ZERO_PAGE,
    BIT,
    MISSING,
    FOREIGN;

    boolean changesLength() {
      return this == TRUNCATED || this == EMPTY || this == LONGER || this == MISSING;
    }

    /** Returns whether the file is another one now. */
    boolean isDoneTo(Path file, Random random) throws IOException {
      byte[] before = Files.readAllBytes(file);
      byte[] after = before.clone();
      switch (this) {
        case TRUNCATED -> after = Arrays.copyOf(before, before.length / 2);
        case EMPTY -> after = new byte[0];
        case LONGER -> after = Arrays.copyOf(before, before.length + 1);
        case ZERO_PAGE -> {
          int page = random.nextInt(before.length / PAGE_BYTES + 1) * PAGE_BYTES;
          Arrays.fill(after, page, Math.min(before.length, page + PAGE_BYTES), (byte) 0);
        }
        case BIT -> after[random.nextInt(before.length)] ^= (byte) (1 << random.nextInt(8));
        case FOREIGN -> random.nextBytes(after);
        case MISSING -> {
          Files.delete(file);
          return true;
        }
      }
      Files.write(file, after);
      return !Arrays.equals(before, after);
    }
  }

  @BeforeAll
  static void createSources() throws IOException, InterruptedException {
    Programs.require("strace", "-V");
    Path small = temporary.resolve("small");
    Path padded = temporary.resolve("padded");
    Path sdz = temporary.resolve("sdz");
    Cli.convert(Fixtures.small(), small, "safetensors").succeeds();
    Cli.convert(Fixtures.pickle("ragged"), padded, "safetensors --ragged pad:9").succeeds();
    Cli.convert(Fixtures.small(), sdz, "samediff --container sdz --deflate").succeeds();
    Path npz = OwnArrays.npz(NaiveTensors.batches(small), temporary.resolve("a.npz"));
    String split = "-Dmapreduce.input.fileinputformat.split.maxsize=1";
    SOURCES.put(
        "shuffle", words("shuffle", padded, "--to=safetensors --provenance --batch-size=3", split));
    SOURCES.put(
        "pickle", words("convert", Fixtures.pickle("spec"), "--to=safetensors --batch-size=2"));
    SOURCES.put(
        "selected pickle",
        words("convert", Fixtures.pickle("spec"), "--to=safetensors --batch-size=1 --limit=3"));
    SOURCES.put("npz", words("convert", npz, "--to=safetensors --batch-size=2"));
    SOURCES.put("sdz", words("convert", sdz, "--to=safetensors --batch-size=2"));
  }

  private static Object[] words(String verb, Path source, String options, String... more) {
    return new Object[] {verb, source, options.split(" "), more};
  }

  private static Killed killed(String source) throws IOException, InterruptedException {
    Killed known = RUNS.get(source);
    if (known == null) {
      known = record(source);
      RUNS.put(source, known);
    }
    known.restore();
    return known;
  }

  private static Killed record(String source) throws IOException, InterruptedException {
    Path place = Files.createDirectories(temporary.toRealPath().resolve("place of " + source));
    Path out = place.resolve("out");
    Object[] words = SOURCES.get(source);
    Object[] command = {words[0], words[1], out, words[2], words[3]};
    if (words[0].equals("shuffle")) {
      command[3] = Stream.of((String[]) words[2]).map(w -> w).toArray();
      command = new Object[] {command, "--layers=" + layer((Path) words[1])};
    }
    RecordedRun run = RecordedRun.of(place, command);
    Path expected = Files.move(out, temporary.resolve("expected of " + source));
    int files = ConvertedDatasets.files(expected).size();
    Path data = place.resolve("_out.saev-hadoop/data");
    int call = run.calls();
    Set<Path> there;
    long parts;
    do {
      there = run.paths(--call);
      parts = there.stream().filter(path -> path.getParent().equals(data)).count();
    } while (there.contains(out) || !there.contains(data) || parts > files / 2);
    assertThat(parts).isPositive();
    return new Killed(run, call, place, expected, command);
  }

  private static String layer(Path dataset) throws IOException {
    return NaiveTensors.batches(dataset).keySet().stream()
        .filter(name -> name.startsWith("layer_"))
        .map(name -> name.substring("layer_".length()))
        .findFirst()
        .orElseThrow();
  }

  /** Returns a staged file of each kind. */
  private static List<String> kinds(Path data, Random random) throws IOException {
    Map<String, List<String>> kinds = new TreeMap<>();
    for (String name : ConvertedDatasets.files(data)) {
      if (Files.isRegularFile(data.resolve(name)) && Files.size(data.resolve(name)) > 0) {
        kinds.computeIfAbsent(name.replaceAll("\\d", ""), k -> new ArrayList<>()).add(name);
      }
    }
    return kinds.values().stream().map(names -> names.get(random.nextInt(names.size()))).toList();
  }

  private static Stream<String> sources() {
    return Stream.of("shuffle", "pickle", "sdz", "npz", "selected pickle")
        .limit(TestExtent.of(2, SOURCES.size()));
  }

  @ParameterizedTest
  @MethodSource("sources")
  void whatIsDamagedIsMadeAgain(String source) throws Exception {
    Killed killed = killed(source);
    Random random = new Random(source.hashCode());
    List<String> failures = new ArrayList<>();
    int done = 0;
    for (Damage damage : Damage.values()) {
      killed.restore();
      List<String> names = kinds(killed.data(), random);
      for (String name : names) {
        for (String options : optionsOf(source, damage, names.indexOf(name), names.size())) {
          killed.restore();
          if (damage.isDoneTo(killed.data().resolve(name), random)) {
            boolean isRead = !source.startsWith("selected") && options.equals("--verify");
            String wrong = outcome(killed, damage, name, isRead, options);
            if (!wrong.isEmpty()) {
              failures.add("%s %s %s: %s".formatted(damage, name, options, wrong));
            }
            done++;
          }
        }
      }
    }
    System.out.printf("%s: %d damages, %d failures%n", source, done, failures.size());
    assertThat(failures).isEmpty();
  }

  /**
   * Returns the options with which a damage of a kind of file is tried, with a check or without
   * one; in a sample, each damage and each kind once in shuffles, and half of that in others.
   */
  private static List<String> optionsOf(String source, Damage damage, int kind, int kinds) {
    int number = damage.ordinal();
    List<String> options = List.of("", "--verify");
    if (TestExtent.isWhole()) {
      return List.of(options.get((number + kind) % 2));
    }
    boolean isSampled = kind == number % kinds || number == kind % Damage.values().length;
    boolean isOfSource = source.equals("shuffle") || (number + source.length()) % 2 == 0;
    return isSampled && isOfSource ? List.of(options.get((number + kinds) % 2)) : List.of();
  }

  private static String outcome(
      Killed killed, Damage damage, String name, boolean isRead, String options)
      throws IOException {
    Cli resumed = killed.resume(options);
    if (resumed.exitCode() != 0) {
      return resumed.stderr();
    }
    ConvertedDatasets.assertSameFiles(killed.out(), killed.expected());
    assertThat(ConvertedDatasets.files(killed.place())).containsExactly("out");
    boolean isWritten = name.matches(WRITTEN_AGAIN) && !damage.changesLength();
    boolean isMissingRecord = damage == Damage.MISSING && name.startsWith("done-");
    return !isRead && !damage.changesLength()
            || isWritten
            || isMissingRecord
            || resumed.stderr().contains(name)
        ? ""
        : "no warning in " + resumed.stderr();
  }

  /** A selection of a pickle stages no such file. */
  private static Stream<String> sourcesOfRecords() {
    return sources().filter(source -> !source.startsWith("selected"));
  }

  @ParameterizedTest
  @MethodSource("sourcesOfRecords")
  void aFileThatNoRecordNamesIsNotRead(String source) throws Exception {
    Killed killed = killed(source);
    Path data = killed.data();
    String name =
        kinds(data, new Random(1)).stream()
            .filter(file -> file.matches("(rows|blocks|inflated)-.*"))
            .findFirst()
            .orElseThrow();
    String foreign = name.replaceFirst("\\d", "9");
    Files.copy(data.resolve(name), data.resolve(foreign));
    assertThat(killed.resume("--verify").succeeds().stderr()).contains(foreign);
    ConvertedDatasets.assertSameFiles(killed.out(), killed.expected());
  }

  @ParameterizedTest
  @ValueSource(strings = {"shuffle", "pickle"})
  void aRunOfAnotherVersionIsRefusedInOneLineAndStays(String source) throws Exception {
    Killed killed = killed(source);
    Path record = killed.staging().resolve("run.json");
    String text = Files.readString(record);
    String other = text.replaceFirst("\\(commit \\w+\\)", "(commit 0123456789)");
    assertThat(other).isNotEqualTo(text);
    Files.writeString(record, other);
    List<String> before = ConvertedDatasets.files(killed.data());
    Cli refused = killed.resume("");
    assertThat(refused.exitCode()).isOne();
    assertThat(ErrorAssertions.find(refused.failure()).kind()).isEqualTo(FileError.NOT_RESUMABLE);
    assertThat(refused.stderr().lines().reduce((first, last) -> last).orElseThrow())
        .contains(" (commit 0123456789) (expected saev-hadoop ", ", or a run without --resume)");
    assertThat(ConvertedDatasets.files(killed.data())).isEqualTo(before);
    Cli.run(killed.command()).succeeds();
    ConvertedDatasets.assertSameFiles(killed.out(), killed.expected());
  }

  /** Its record is whole, as that of another shuffle would be. */
  @ParameterizedTest
  @ValueSource(strings = {"\"geometry\":{\"examples\":0", "\"dim\":1", "\"dtype\":\"F16\""})
  void aPlanOfAnotherShuffleIsNotBelieved(String wrong) throws Exception {
    Killed killed = killed("shuffle");
    StagedFolder data = StagedFolder.of(new LocalFolder(killed.data()));
    String key = wrong.substring(0, wrong.indexOf(':') + 1);
    for (String name : List.of("kept-tokens", "shuffle.json")) {
      byte[] content = Files.readAllBytes(killed.data().resolve(name));
      if (name.endsWith("json")) {
        String text = new String(content, StandardCharsets.UTF_8);
        assertThat(text).contains(key);
        content = text.replaceFirst(key + "[^,}]+", wrong).getBytes(StandardCharsets.UTF_8);
      }
      try (Output out = data.create(name)) {
        out.write(ByteBuffer.wrap(content));
      }
    }
    data.commit("plan", "plan");
    assertThat(killed.resume("").succeeds().stderr())
        .contains("shuffle.json: is not what this command plans; all rows are written again");
    ConvertedDatasets.assertSameFiles(killed.out(), killed.expected());
  }
}
