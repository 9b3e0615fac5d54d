package org.saevhadoop.format.pickleshards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertError;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetReport;
import org.saevhadoop.format.spi.RecordedArrays.Recorded;
import org.saevhadoop.format.spi.ReportSink;
import org.saevhadoop.format.spi.TensorListing;

/** What the format says of pickled shards without staging them. */
class PickleFormatTest {
  @TempDir Path folder;
  private final PickleFormat format = new PickleFormat();
  private final List<String> warnings = new ArrayList<>();

  @BeforeEach
  void writeShards() throws IOException {
    TestShards.write(folder.resolve("host_0/shard_0001.pkl.gz"), 4, 2);
    TestShards.write(folder.resolve("host_1/shard_0001.pkl"), 2);
  }

  @Test
  void arraysAreListedAsTheyAreRecorded() throws IOException {
    List<String> listed = new ArrayList<>();
    List<FormatException> faults =
        format
            .recordedArrays()
            .orElseThrow()
            .forEach(location(), Settings.NONE, true, a -> listed.add(show(a)), warnings::add);
    assertThat(faults).isEmpty();
    assertThat(warnings).isEmpty();
    assertThat(listed)
        .hasSize(6)
        .startsWith(
            "host_0/shard_0001.pkl.gz 3 4 float32 64", "host_0/shard_0001.pkl.gz 3 2 float32 64");
  }

  private static String show(Recorded array) {
    return "%s %d %d %s %d"
        .formatted(
            array.file(), array.layer(), array.sample(), array.dtype(), array.digest().length());
  }

  @Test
  void aReportReportsTheShapeThatAllShardsHave() throws IOException {
    Sink sink = new Sink(false);
    format.describe(location(), Settings.NONE, ProvenanceReader.NONE, sink);
    assertThat(new JsonMapper().writeValueAsString(sink.report.fields()))
        .startsWith(
            "{\"format\":\"pickle\","
                + "\"examples\":2,\"layers\":[3,7],\"tokens\":4,\"dim\":256,"
                + "\"vectors\":24,\"dtype\":\"float32\",\"stored_dtype\":\"<f4\","
                + "\"bytes\":12994,\"bytes_of_values\":24576,\"shards\":[{\"file\":\"host_0/shard_0001.pkl.gz\"")
        .endsWith("\"warnings\":[]}");
    Settings perDirectory = Settings.NONE.with(PickleKeys.SAMPLE_IDS, PickleKeys.Ids.DIRECTORY);
    format.describe(location(), perDirectory, ProvenanceReader.NONE, sink);
    assertThat(sink.report.fields()).containsEntry("examples", 3L);
  }

  @Test
  void aReportHasNoDigests() {
    assertThatThrownBy(
            () -> format.describe(location(), Settings.NONE, ProvenanceReader.NONE, new Sink(true)))
        .isInstanceOf(SettingException.class)
        .hasMessage("--digests is for files and models (list --digests for a dataset)");
  }

  @Test
  void aCheckFindsWhatTheManifestPromisesAndShardsThatCannotBeRead() throws IOException {
    assertThat(check()).isEmpty();
    Files.writeString(
        folder.resolve("host_1/metadata.json"),
        """
        {"version": "1.0", "total_shards": 1,
         "shards": [{"filename": "shard_0001.pkl", "num_samples": 5}]}
        """);
    assertProblem(PickleError.COUNT_MISMATCH, "host_1/metadata.json");
    Files.write(folder.resolve("host_0/shard_0001.pkl.gz"), new byte[] {1, 2});
    assertProblem(PickleError.NOT_A_PICKLE, "host_0/shard_0001.pkl.gz");
  }

  private void assertProblem(PickleError kind, String path) throws IOException {
    assertThat(check()).hasSize(1);
    assertError(kind, path, check().get(0));
  }

  private List<FormatException> check() throws IOException {
    return format.check(location(), Settings.NONE, ProvenanceReader.NONE, warnings::add);
  }

  private Location location() {
    return Location.of(new LocalFolder(folder));
  }

  private static final class Sink implements ReportSink {
    private final boolean digests;
    private DatasetReport report;

    Sink(boolean digests) {
      this.digests = digests;
    }

    @Override
    public boolean isForPerson() {
      return false;
    }

    @Override
    public boolean wantsDigests() {
      return digests;
    }

    @Override
    public void report(DatasetReport described) {
      report = described;
    }

    @Override
    public void tensors(TensorListing listing) {
      throw new AssertionError("shards hold no tensors");
    }
  }
}
