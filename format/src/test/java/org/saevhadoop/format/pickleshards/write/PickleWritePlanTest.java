package org.saevhadoop.format.pickleshards.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;
import org.saevhadoop.format.pickleshards.directory.ShardFile;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tensor.DType;

class PickleWritePlanTest {
  private static final Geometry GEOMETRY = new Geometry(20_001, List.of(10, 12), 2, 4);

  @TempDir Path folder;

  @Test
  void filesAreNumberedFromOneAndBeyondFourDigits() {
    PickleWritePlan target = target(GEOMETRY, 2 * GEOMETRY.exampleBytes() + 1, ShardForm.DEFAULT);
    assertThat(target.examplesPerShard()).isEqualTo(2);
    assertThat(target.shardCount()).isEqualTo(10_001);
    assertThat(target.shardName(0)).isEqualTo("shard_0001.pkl.gz");
    assertThat(target.shardName(9998)).isEqualTo("shard_9999.pkl.gz");
    assertThat(target.shardName(9999)).isEqualTo("shard_10000.pkl.gz");
    ShardPlan last = target.shard(10_000);
    assertThat(last.name()).isEqualTo("shard_10001.pkl.gz");
    assertThat(last.first()).isEqualTo(20_000);
    assertThat(last.examples()).isEqualTo(1);
    assertThat(last.length()).isEqualTo(ShardPlan.UNKNOWN);
    ShardForm plain = new ShardForm(Form.SPEC, 4, null, true);
    assertThat(target(GEOMETRY, 1 << 20, plain).shardName(9999)).isEqualTo("shard_10000.pkl");
  }

  @Test
  void anExampleThatIsLargerThanAShardHasOneOfItsOwn() {
    assertThat(target(GEOMETRY, 1, ShardForm.DEFAULT).examplesPerShard()).isEqualTo(1);
  }

  @Test
  void whatNoShardHoldsIsRefusedBeforeItIsWritten() {
    Geometry large = new Geometry(1, List.of(1), 500_001, 1000);
    assertThatThrownBy(() -> target(large, 1 << 30, ShardForm.DEFAULT))
        .hasMessageContaining("2000004000 bytes, which is too much for a shard");
    Geometry odd = GEOMETRY.as(DType.F8_E4M3);
    assertThatThrownBy(() -> target(odd, 1 << 30, ShardForm.DEFAULT))
        .hasMessageContaining("numpy has no F8_E4M3");
    Geometry many = new Geometry(1_000_000, List.of(1), 1, 1);
    assertThatThrownBy(() -> target(many, 4, ShardForm.DEFAULT))
        .hasMessageContaining("too many shards (expected at most");
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void theManifestIsThatOfTheFiles(Form dialect) throws IOException {
    Geometry geometry = new Geometry(5, List.of(10, 12), 2, 4);
    ShardForm form = new ShardForm(dialect, 4, ShardForm.DEFAULT.gzip(), true);
    PickleWritePlan target = target(geometry, 2 * geometry.exampleBytes(), form);
    DatasetWrite write =
        target.write(SampleMetadata.NONE, SampleOrigin.UNKNOWN, WrittenShards.UNKNOWN);
    InventedFiles.write(write, folder);
    LocalFolder out = new LocalFolder(folder);
    List<ShardFacts> facts = new ArrayList<>();
    for (ShardFile shard : ShardFiles.of(out).shards()) {
      facts.add(ShardFacts.parse("", Files.readAllBytes(folder.resolve(shard.name() + ".facts"))));
    }
    assertThat(facts).hasSize(3);
    assertThat(write.finisher().workFiles())
        .containsExactlyElementsOf(facts.stream().map(f -> f.name() + ".facts").toList());
    ActivationManifest manifest = ActivationManifest.read(out);
    assertThat(manifest.form()).isEqualTo(dialect);
    assertThat(manifest.totals().samples()).isEqualTo(5);
    assertThat(manifest.shards()).hasSize(3);
    if (dialect == Form.SPEC) {
      assertThat(manifest.document().get("created_at").textValue())
          .isEqualTo("1970-01-01T00:00:00Z");
    }
    Files.delete(folder.resolve("shard_0002.pkl.gz.facts"));
    assertFails(
        FileError.NOT_FOUND, "shard_0002.pkl.gz.facts", () -> write.finisher().documents(out));
  }

  private static PickleWritePlan target(Geometry geometry, long shardBytes, ShardForm form) {
    return new PickleWritePlan(geometry, shardBytes, form, "/data/out");
  }
}
