package org.saevhadoop.converters.dryrun;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.format.publish.run.Leftovers;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.publish.run.RunRecord;
import org.saevhadoop.format.safetensors.dataset.SmallFile;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalRunStorage;
import org.saevhadoop.format.storage.StoragePath;

/** A dry run fails if the run would be refused, in the same words. */
class DryRunRefusalsTest {
  /** By a name, the exit code and the words of a command that is refused; @ is the folder. */
  private static final Map<String, String> REFUSED = new TreeMap<>();

  @TempDir static Path sources;
  @TempDir Path folder;

  static {
    REFUSED.put("an existing destination", "1 convert @/saev @/there --to safetensors");
    REFUSED.put(
        "an existing folder that is no dataset", "1 convert @/saev @/folder --to npy --overwrite");
    REFUSED.put("a folder of the run's name", "1 convert @/saev @/blocked --to npy");
    REFUSED.put("a file of the run's name", "1 convert @/saev @/taken --to npy");
    REFUSED.put("a destination in the source", "1 convert @/saev @/saev/out --to npy");
    REFUSED.put("a destination below a file", "1 convert @/saev @/file/out --to npy");
    REFUSED.put("a name that is too long", "1 convert @/saev @/" + "n".repeat(300) + " --to npy");
    REFUSED.put("a missing source", "1 convert @/nothing @/out --to npy");
    REFUSED.put("a truncated source", "1 convert @/broken @/out --to npy");
    REFUSED.put("several datasets below the source", "1 convert @ @/out --to npy");
    REFUSED.put("a type that the target lacks", "2 convert @/saev @/out --to saev --dtype f16");
    REFUSED.put("an unknown type", "2 convert @/saev @/out --to npy --dtype f17");
    REFUSED.put("a key that is invalid", "2 convert @/saev @/out --to npy -Dsaev.convert.plan=x");
    REFUSED.put("examples that do not exist", "1 convert @/saev @/out --to npy --examples 99");
    REFUSED.put("layers that do not exist", "1 convert @/saev @/out --to npy --layers 99");
    REFUSED.put(
        "a tail that leaves nothing",
        "1 convert @/saev @/out --to safetensors --tail drop --batch-size 90");
    REFUSED.put("a model without a name", "2 convert @/pickle/shard_0001.pkl.gz @/out --to saev");
    REFUSED.put("columns that are not activations", "1 convert @/table @/out --to pickle");
    REFUSED.put(
        "labels of another shape",
        "1 convert @/saev @/out --to safetensors -Dsaev.output.labels=@/small");
    REFUSED.put(
        "sample metadata of too few examples",
        "1 convert @/saev @/out --to safetensors -Dsaev.output.sample.metadata=@/few"
            + " -Dsaev.output.sample.metadata.format=org.saevhadoop.mapreduce.SafetensorsInputFormat");
    REFUSED.put(
        "no threads", "2 convert @/saev @/out --to npy -Dmapreduce.local.map.tasks.maximum=0");
    REFUSED.put(
        "no folder for temporary files",
        "1 convert @/saev @/out --to npy -Dhadoop.tmp.dir=@/file/tmp");
    REFUSED.put("a digest of nothing", "1 digest @/nothing");
    REFUSED.put("sums that replace a file", "1 digest @/saev --save=@/file");
    REFUSED.put("sums of a part", "2 digest @/saev --save=@/sums --layers 3");
    REFUSED.put("an expectation that is no digest", "1 digest @/saev --expect nonsense");
    REFUSED.put("a tolerance that is none", "2 diff @/saev @/few --tolerance much");
    REFUSED.put("a check of nothing", "3 verify @/nothing");
    REFUSED.put("a check of no layer", "3 verify @/saev --layers 99");
    REFUSED.put("a comparison with nothing", "3 diff @/saev @/nothing");
    REFUSED.put("a comparison with a truncated dataset", "3 diff @/saev @/broken");
  }

  @BeforeAll
  static void createSources() throws IOException {
    Path saev = new NaiveActivations(5, List.of(3, 7), 4, 3, true, true).writeSaev(sources);
    Files.move(saev, sources.resolve("saev"));
    Cli.convert(saev(), sources.resolve("there"), "safetensors").succeeds();
    Cli.convert(saev(), sources.resolve("pickle"), "pickle").succeeds();
    Cli.convert(Fixtures.pickle("spec"), sources.resolve("few"), "safetensors --examples 0:1")
        .succeeds();
    Path broken = Files.move(Fixtures.copy(Fixtures.SMALL, sources), sources.resolve("broken"));
    Files.writeString(broken.resolve("shards.json"), "[");
    Files.move(Fixtures.copy(Fixtures.SMALL, sources), sources.resolve("small"));
    Path table = Files.createDirectory(sources.resolve("table"));
    SmallFile.ofThree(table.resolve("p.safetensors"), "1__x", "2__x");
    SmallFile.manifest(table, "p.safetensors:2");
    Files.createDirectories(sources.resolve("folder/other"));
    Files.createDirectories(sources.resolve("_blocked.saev-hadoop/other"));
    Files.writeString(sources.resolve("_taken.saev-hadoop"), "taken");
    Files.writeString(sources.resolve("file"), "text");
  }

  private static Path saev() {
    return sources.resolve("saev");
  }

  static List<String> names() {
    return List.copyOf(REFUSED.keySet());
  }

  @ParameterizedTest
  @MethodSource("names")
  void aRefusalIsThatOfTheRun(String name) throws IOException {
    String[] words = REFUSED.get(name).replace("@", sources.toString()).split(" ");
    assertRefused(Integer.parseInt(words[0]), List.of(words).subList(1, words.length), sources);
  }

  private static void assertRefused(int exit, List<?> words, Path watched) throws IOException {
    FolderState before = FolderState.of(watched);
    Cli dry = Cli.run(words, "--dry-run");
    assertThat(FolderState.of(watched)).isEqualTo(before);
    Cli run = Cli.run(words);
    assertThat(run.exitCode()).as(run.stderr()).isEqualTo(exit);
    assertThat(dry.exitCode()).as(dry.text() + dry.stderr()).isEqualTo(exit);
    assertThat(error(dry)).isEqualTo(error(run));
    assertThat(dry.text()).isEmpty();
  }

  private static String error(Cli cli) {
    return cli.stderr().lines().reduce((first, last) -> last).orElse("");
  }

  private List<Object> convert(Path to, String options) {
    return List.of("convert", Fixtures.small(), to, "--to", options.split(" "));
  }

  @Test
  void aPathAtWhichARunOfThisProcessWritesIsRefused() throws IOException {
    Path out = folder.resolve("out");
    StoragePath run = RunPaths.of(new LocalPath(out));
    RunRecord record =
        RunRecord.of(out.toString(), RunPaths.data(run).qualified(), "", "me", "", Map.of());
    try (RunFolder claimed =
        RunFolder.claim(run, record, job -> false, Leftovers.REMOVED, new LocalRunStorage(true))) {
      assertThat(claimed.path()).isEqualTo(run);
      assertRefused(1, convert(out, "npy"), folder);
    }
    Cli.run(convert(out, "npy"), "--dry-run").succeeds();
  }
}
