package org.saevhadoop.converters.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.storage.LocalTree;

/** Shuffles with {@code --partition}: how often they read the source, and what they write. */
@Tag("late")
class ShufflePartitionTest extends ConvertedDatasets {
  private static final int EXAMPLES = 300;
  private static final int TOKENS = 20;
  private static final int DIM = 64;
  private static final long SOURCE_BYTES = (long) EXAMPLES * TOKENS * DIM * Float.BYTES;

  private Path source;
  private Path place;
  private Path out;

  @BeforeEach
  void writeSource() throws IOException {
    source =
        new NaiveActivations(EXAMPLES, List.of(4), TOKENS, DIM, true, false)
            .writeSaev(folder.resolve("source"));
    place = Files.createDirectory(folder.resolve("place"));
    out = place.resolve("out");
  }

  private Cli shuffle(String parts, Object... options) {
    return Cli.run(
        "shuffle",
        source,
        out,
        "--to=safetensors",
        "--batch-size=1000",
        "--partition=" + parts,
        "-Dmapreduce.input.fileinputformat.split.maxsize=100000",
        options);
  }

  /** With as many threads, a task has 256 KiB, in which the chunks of 4 buckets fit. */
  private static String shortMemory() {
    long threads = Runtime.getRuntime().maxMemory() / (2 * (256 << 10));
    return "-Dmapreduce.local.map.tasks.maximum=" + threads;
  }

  private static List<Long> read(Cli run, String step) throws IOException {
    List<Long> bytes = new ArrayList<>();
    for (JsonNode job : run.json().get("jobs")) {
      if (job.get("step").textValue().equals(step)) {
        bytes.add(job.get("counters").get("bytes_read").longValue());
      }
    }
    return bytes;
  }

  private static List<String> plans(Cli dry) throws IOException {
    return dry.json().get("datasets").findValuesAsText("plan");
  }

  private static Map<String, ByteBuffer> contents(Path root) throws IOException {
    Map<String, ByteBuffer> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.put(root.relativize(file).toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  @Test
  void theSourceIsReadOnceForAllParts() throws IOException {
    Cli dry = shuffle("train=0.9,val=0.1", "--dry-run", "--json").succeeds();
    assertThat(plans(dry)).containsExactly("two passes", "second pass");
    long planned = 0;
    for (JsonNode plan : dry.json().get("datasets")) {
      planned += plan.get("bytes_read").longValue();
    }
    assertThat(planned).isEqualTo(2 * SOURCE_BYTES);
    assertThat(dry.stderr()).contains("shuffle: 1 pass over the source for the rows of 2 datasets");
    assertThat(files(place)).isEmpty();
    Cli run = shuffle("train=0.9,val=0.1", "--json").succeeds();
    assertThat(read(run, "shuffle")).containsExactly(SOURCE_BYTES);
    assertThat(read(run, "convert")).containsExactly(SOURCE_BYTES * 9 / 10, SOURCE_BYTES / 10);
    assertThat(files(out)).containsExactly("train", "val");
  }

  /** The rows of all parts wait at the same time; each data file is beside them. */
  @Test
  void theFolderForTemporaryFilesHasTheRowsOfAllParts() throws IOException {
    JsonNode plans =
        shuffle("train=0.9,val=0.1", "--dry-run", "--json").succeeds().json().get("datasets");
    long rows = EXAMPLES * TOKENS;
    assertThat(plans.get(0).get("temporary").findValuesAsText("bytes").get(0))
        .isEqualTo("" + (SOURCE_BYTES + rows * Integer.BYTES));
    assertThat(plans.get(0).get("temporary")).hasSize(2);
    assertThat(plans.get(1).get("temporary")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--unit=vector", "--unit=example"})
  void shortOfMemoryTheSourceIsReadInSeveralPassesWithTheSameResult(String unit)
      throws IOException {
    String parts = "a=0.3,b=0.3,c=0.3,d=0.1";
    shuffle(parts, unit, "--provenance", "--verify").succeeds();
    Map<String, ByteBuffer> expected = contents(out);
    LocalTree.delete(out);
    Cli dry = shuffle(parts, unit, shortMemory(), "--dry-run", "--json").succeeds();
    List<String> plans = plans(dry);
    long passes = plans.stream().filter("two passes"::equals).count();
    assertThat(passes).isBetween(2L, 3L);
    assertThat(dry.stderr())
        .contains("shuffle: " + passes + " passes over the source for the rows of 4 datasets");
    Cli run = shuffle(parts, unit, "--provenance", "--json", shortMemory()).succeeds();
    assertThat(read(run, "shuffle")).hasSize((int) passes).containsOnly(SOURCE_BYTES);
    assertThat(contents(out)).isEqualTo(expected);
    assertThat(files(place)).containsExactly("out");
    assertThat(files(out)).containsExactly("a", "b", "c", "d");
  }

  /** Tasks of Hadoop open the dataset of each part by the name of its document. */
  @Test
  void tasksOfAJobWithReducersFindTheRowsOfTheirPart() throws IOException {
    shuffle("train=0.6,val=0.4", "--provenance").succeeds();
    Map<String, ByteBuffer> expected = contents(out);
    shuffle("train=0.6,val=0.4", "--provenance", "--overwrite", "-Dsaev.convert.plan=shuffle")
        .succeeds();
    assertThat(contents(out)).isEqualTo(expected);
  }

  @Test
  void labelsAndCoordinatesStayWithTheVectorsOfEachPart() throws IOException {
    NaiveActivations naive = new NaiveActivations(EXAMPLES, List.of(4), TOKENS, DIM, true, true);
    source = naive.writeSaev(folder.resolve("labelled"));
    shuffle("train=0.6,val=0.3", "--provenance", "--tokens=image").succeeds();
    Set<Integer> examples = new HashSet<>();
    for (String part : List.of("train", "val")) {
      Map<String, Found> found = NaiveTensors.batches(out.resolve(part));
      int rows = found.get("layer_4").shape().get(0).intValue();
      for (int row = 0; row < rows; row++) {
        int example = (int) integer(found.get("example"), row);
        int token = (int) integer(found.get("token"), row);
        assertThat(found.get("labels").bytes()[row]).isEqualTo(naive.label(example, token - 1));
        assertThat(found.get("layer_4").row(row)).isEqualTo(naive.vector(example, 4, token));
        examples.add(example);
      }
    }
    assertThat(examples).hasSize(EXAMPLES * 9 / 10);
  }

  private static long integer(Found tensor, int row) {
    ByteBuffer bytes = ByteBuffer.wrap(tensor.row(row)).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.remaining() == Long.BYTES ? bytes.getLong() : bytes.getInt();
  }

  @Test
  void aPartThatIsThereStaysAndOnlyTheOthersAreMade() throws IOException {
    shuffle("a=0.5,b=0.3,c=0.2").succeeds();
    Map<String, ByteBuffer> expected = contents(out);
    LocalTree.delete(out.resolve("a"));
    LocalTree.delete(out.resolve("c"));
    shuffle("a=0.5,b=0.3,c=0.2").failsWithText("already exists, with 2 of the 3 datasets");
    assertThat(plans(shuffle("a=0.5,b=0.3,c=0.2", "--resume", "--dry-run", "--json").succeeds()))
        .containsExactly("two passes", "nothing", "second pass");
    Cli resumed = shuffle("a=0.5,b=0.3,c=0.2", "--resume", "--json").succeeds();
    assertThat(read(resumed, "shuffle")).containsExactly(SOURCE_BYTES);
    assertThat(read(resumed, "convert")).containsExactly(SOURCE_BYTES / 2, SOURCE_BYTES / 5);
    assertThat(contents(out)).isEqualTo(expected);
    assertThat(resumed.json().get("datasets").findValuesAsText("path"))
        .containsExactly(out + "/a", out + "/b", out + "/c");
  }

  @Test
  void allPathsAreCheckedBeforeAnythingIsRead() throws IOException {
    Files.createDirectories(out.resolve("val/something"));
    shuffle("train=0.9,val=0.1").failsWithText(out.resolve("val") + ": already exists");
    assertThat(files(out)).containsExactly("val");
  }
}
