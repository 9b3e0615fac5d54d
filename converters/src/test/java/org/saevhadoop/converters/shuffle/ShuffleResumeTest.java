package org.saevhadoop.converters.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.run.RecordedRun;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.testing.Programs;

/** {@code shuffle --resume} after a run that was killed in its first or its second pass. */
@Tag("late")
class ShuffleResumeTest extends ConvertedDatasets {
  private static final int EXAMPLES = 12;
  private static final int TOKENS = 5;
  private static final int EXAMPLE_BYTES = TOKENS * 16 * Float.BYTES;
  private static final int FILES = 6;
  private static final String BATCH = "--batch-size=" + EXAMPLES * TOKENS / FILES;

  @TempDir static Path recorded;
  private static Path source;
  private static Path place;
  private static Path out;
  private static Path expected;
  private static RecordedRun run;
  private static int firstPass;
  private static int secondPass;

  @BeforeAll
  static void recordRun() throws IOException, InterruptedException {
    Programs.require("strace", "-V");
    NaiveActivations naive = new NaiveActivations(EXAMPLES, List.of(4), TOKENS, 16, true, false);
    source = naive.writeSaev(recorded.resolve("source"));
    place = Files.createDirectory(recorded.toRealPath().resolve("place"));
    out = place.resolve("out");
    run = RecordedRun.of(place, command(BATCH));
    expected = Files.move(out, recorded.resolve("expected"));
    firstPass = run.moments(paths -> rows(paths).size() == EXAMPLES / 3).get(0);
    secondPass = last(paths -> complete(paths).size() == FILES / 2);
  }

  /** A shuffle of which each task reads one example. */
  private static Object[] command(Object... options) {
    String split = "-Dmapreduce.input.fileinputformat.split.maxsize=" + EXAMPLE_BYTES;
    return new Object[] {"shuffle", source, out, "--to=safetensors", split, options};
  }

  private static Cli shuffle(Object... options) {
    return Cli.run(command(options));
  }

  /** Leaves what a run leaves that is killed after some of its examples were read. */
  private static int killedInTheFirstPass() throws IOException {
    run.restore(firstPass);
    assertThat(out).doesNotExist();
    return EXAMPLES / 3;
  }

  /** Leaves what a run leaves that is killed after some of its files were written. */
  private static int killedInTheSecondPass() throws IOException {
    run.restore(secondPass);
    assertThat(rows()).hasSize(EXAMPLES);
    assertThat(out).doesNotExist();
    return FILES / 2;
  }

  private static List<String> rows() throws IOException {
    return rows(left());
  }

  private static List<String> complete() throws IOException {
    return complete(left());
  }

  private static List<Path> left() throws IOException {
    try (Stream<Path> all = Files.walk(place)) {
      return all.toList();
    }
  }

  /** Returns the records of rows among paths. */
  private static List<String> rows(Collection<Path> paths) {
    return names(paths, "_out\\.[0-9a-f]+\\.saev-hadoop/data/done-0[^/]*");
  }

  private static List<String> complete(Collection<Path> paths) {
    return names(paths, "_out\\.saev-hadoop/data/part-[^/]*");
  }

  private static List<String> names(Collection<Path> paths, String pattern) {
    return paths.stream()
        .map(path -> place.relativize(path).toString())
        .filter(name -> name.matches(pattern))
        .sorted()
        .toList();
  }

  private static int last(Predicate<Set<Path>> state) {
    List<Integer> moments = run.moments(state);
    return moments.get(moments.size() - 1);
  }

  private static List<String> steps(Cli resumed) throws IOException {
    return resumed.json().findValuesAsText("step");
  }

  private static JsonNode counters(Cli resumed, int job) throws IOException {
    return resumed.json().get("jobs").get(job).get("counters");
  }

  private static void assertWritten(Path dataset) throws IOException {
    assertSameFiles(out, dataset);
    assertThat(files(place)).containsExactly("out");
  }

  @Test
  void examplesOfRowsThatAreCompleteAreNotReadAgain() throws IOException {
    int complete = killedInTheFirstPass();
    Cli resumed = shuffle(BATCH, "--resume", "--json").succeeds();
    assertThat(steps(resumed)).containsExactly("shuffle", "convert");
    assertThat(counters(resumed, 0).get("bytes_read").longValue())
        .isEqualTo((long) (EXAMPLES - complete) * EXAMPLE_BYTES);
    assertWritten(expected);
  }

  @Test
  void filesThatAreCompleteAreNotWrittenAgainNorAreRows() throws IOException {
    int complete = killedInTheSecondPass();
    Cli resumed = shuffle(BATCH, "--resume", "--json").succeeds();
    assertThat(steps(resumed)).containsExactly("convert");
    assertThat(counters(resumed, 0).get("examples").intValue())
        .isEqualTo((FILES - complete) * EXAMPLES * TOKENS / FILES);
    assertWritten(expected);
  }

  @Test
  void aDatasetThatWasCompleteIsVerifiedBeforeItIsPublished() throws IOException {
    run.restore(last(paths -> !paths.contains(out)));
    assertThat(shuffle(BATCH, "--resume", "--verify").succeeds().stderr())
        .contains("had completed the dataset");
    assertWritten(expected);
  }

  @Test
  void rowsThatARunHasLeftAfterItHadPublishedTheDatasetAreRemoved() throws IOException {
    run.restore(
        last(paths -> paths.stream().filter(p -> p.getParent().equals(place)).count() == 2));
    assertSameFiles(out, expected);
    assertThat(shuffle(BATCH, "--resume").succeeds().stderr()).contains("published before");
    assertWritten(expected);
  }

  @Test
  void aDryRunPlansWhatIsMissingInBothPasses() throws IOException {
    int complete = killedInTheFirstPass();
    assertThat(bytesPlanned()).isEqualTo((2L * EXAMPLES - complete) * EXAMPLE_BYTES);
    complete = killedInTheSecondPass();
    assertThat(bytesPlanned()).isEqualTo((long) EXAMPLES * EXAMPLE_BYTES / FILES * complete);
    assertThat(rows()).hasSize(EXAMPLES);
  }

  private static long bytesPlanned() throws IOException {
    Cli dry = shuffle(BATCH, "--resume", "--dry-run", "--json").succeeds();
    return dry.json().get("datasets").get(0).get("bytes_read").longValue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--seed=1",
        "--unit=example",
        "--provenance",
        "--tokens=image",
        "--examples=0:11",
        "--sample=50%",
        "--dtype=f16"
      })
  void theRowsOfAnotherShuffleAreRefusedAndStay(String option) throws IOException {
    killedInTheFirstPass();
    List<String> before = rows();
    shuffle(BATCH, "--resume", option).failsWithKind(FileError.NOT_RESUMABLE.name(), place);
    assertThat(rows()).isEqualTo(before);
    assertThat(out).doesNotExist();
  }

  @Test
  void rowsOfTheFirstPassSufficeForFilesOfAnotherSize() throws IOException {
    killedInTheFirstPass();
    shuffle("--batch-size=33", "--resume").succeeds();
    Path other = Files.move(out, folder.resolve("other"));
    shuffle("--batch-size=33").succeeds();
    assertWritten(other);
  }

  @Test
  void filesOfAnotherSizeAreRefusedInTheSecondPassAndStay() throws IOException {
    killedInTheSecondPass();
    List<String> before = complete();
    shuffle("--batch-size=33", "--resume").failsWithKind(FileError.NOT_RESUMABLE.name(), place);
    assertThat(complete()).isEqualTo(before);
    assertThat(rows()).hasSize(EXAMPLES);
  }

  @Test
  void aSizeOfFilesThatIsNotGivenIsThatOfTheInterruptedRun() throws IOException {
    killedInTheSecondPass();
    shuffle("--resume").succeeds();
    assertWritten(expected);
  }

  @Test
  void withoutTheOptionTheRemainsOfBothPassesAreRemovedAndTheUserIsWarned() throws IOException {
    int complete = killedInTheSecondPass();
    Cli repeated = shuffle(BATCH, "--json").succeeds();
    assertThat(repeated.stderr()).contains("removing the " + complete + " complete files");
    assertThat(steps(repeated)).containsExactly("shuffle", "convert");
    assertWritten(expected);
  }

  @Test
  void theRowsThatARunHasLeftInItsFirstPassAreNotRemovedWithoutAWord() throws IOException {
    int complete = killedInTheFirstPass();
    assertThat(shuffle(BATCH).succeeds().stderr())
        .containsPattern("removing the \\d+ complete files .*--resume would have continued it");
    assertThat(complete).isPositive();
    assertWritten(expected);
  }
}
