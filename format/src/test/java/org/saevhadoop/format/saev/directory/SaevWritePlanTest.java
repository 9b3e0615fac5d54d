package org.saevhadoop.format.saev.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.saev.directory.SaevWritePlan.Tail;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class SaevWritePlanTest {
  private static final Path FIXTURE =
      Corpus.checkout()
          .resolve(
              "fixtures/saev/213c9c09f2cf9c50c90a67b906932e80a999f9d0f779ea26f8362adc8b1f160b");

  @TempDir Path temporary;

  @Test
  void documentsAreThoseOfTheRealWriterMetadataLast() throws IOException {
    SaevWritePlan target = new SaevWritePlan(fixture(), Tail.FULL, null);
    assertThat(target.documents(new LocalFolder(temporary)))
        .extracting(Document::name)
        .containsExactly("shards.json", "metadata.json");
    InventedFiles.writeDocuments(target, new LocalFolder(temporary));
    for (Document document : target.documents(new LocalFolder(temporary))) {
      assertThat(temporary.resolve(document.name()))
          .hasSameBinaryContentAs(FIXTURE.resolve(document.name()));
    }
  }

  @Test
  void legacyDatasetsHaveNoShardsJson() throws IOException {
    SaevWritePlan legacy =
        new SaevWritePlan(fixture().to(ProtocolGeneration.LEGACY), Tail.FULL, null);
    assertThat(legacy.documents(new LocalFolder(temporary)))
        .extracting(Document::name)
        .containsExactly("metadata.json");
  }

  @Test
  void everyFileIsFullSizeUnlessItsTailIsExact() throws IOException {
    assertThat(lengths(new SaevWritePlan(fixture(), Tail.FULL, null)))
        .containsExactly(3840L, 3840L, 3840L, 3840L);
    assertThat(lengths(new SaevWritePlan(fixture(), Tail.EXACT, null)))
        .containsExactly(3840L, 3840L, 3840L, 1920L);
    ShardPlan last = new SaevWritePlan(fixture(), Tail.EXACT, null).shard(3);
    assertThat(last.name()).isEqualTo("acts000003.bin");
    assertThat(last.first()).isEqualTo(6);
    assertThat(last.examples()).isEqualTo(1);
  }

  @Test
  void noEmptyFileFollowsWhereExamplesDivideEvenly() throws IOException {
    Geometry six = new Geometry(6, List.of(13, 21, 23), 10, 16);
    SaevWritePlan target = new SaevWritePlan(fixture().withGeometry(six), Tail.FULL, null);
    assertThat(lengths(target)).containsExactly(3840L, 3840L, 3840L);
    InventedFiles.writeDocuments(target, new LocalFolder(temporary));
    assertThat(Files.readString(temporary.resolve("shards.json")))
        .contains("\"n_imgs\": 2")
        .doesNotContain("\"n_imgs\": 0");
  }

  @Test
  void aDatasetWithoutExamplesIsWrittenAndRead() throws IOException {
    Geometry none = new Geometry(0, List.of(13, 21, 23), 10, 16);
    SaevWritePlan target = new SaevWritePlan(fixture().withGeometry(none), Tail.FULL, null);
    Path folder = Files.createDirectories(temporary.resolve(target.metadata().hash()));
    InventedFiles.write(target, new LocalFolder(folder));
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("shards.json", "metadata.json");
    SaevDataset read = SaevDataset.open(new LocalFolder(folder));
    assertThat(read.geometry().examples()).isZero();
    assertThat(read.warnings()).isEmpty();
  }

  @Test
  void whatIsWrittenIsADatasetWithoutWarnings() throws IOException {
    SaevWritePlan target = new SaevWritePlan(fixture(), Tail.FULL, null);
    Path folder = Files.createDirectories(temporary.resolve(target.metadata().hash()));
    InventedFiles.write(target, new LocalFolder(folder));
    SaevDataset read = SaevDataset.open(new LocalFolder(folder));
    assertThat(read.warnings()).isEmpty();
    assertThat(read.hashMatches()).isTrue();
    byte[] last = Files.readAllBytes(folder.resolve("acts000003.bin"));
    assertThat(last).hasSize(3840).endsWith(new byte[1920]);
    assertThat(last).startsWith(InventedFiles.example(target.geometry(), 6).array());
  }

  @Test
  void labelsAreOneFileThatIsThereBeforeTheOtherDocuments() throws IOException {
    Geometry geometry = fixture().geometry();
    InventedDataset labelled = new InventedDataset(geometry, true, 3).withLabels(9);
    SaevWritePlan target =
        new SaevWritePlan(fixture(), Tail.FULL, LabelSource.of(labelled, geometry));
    assertThat(target.documents(new LocalFolder(temporary)))
        .extracting(Document::name)
        .containsExactly("labels.bin", "shards.json", "metadata.json");
    Path folder = Files.createDirectories(temporary.resolve(target.metadata().hash()));
    InventedFiles.write(target, new LocalFolder(folder));
    assertThat(folder.resolve("labels.bin")).hasBinaryContent(labelled.labels(0, 7));
    SaevDataset read = SaevDataset.open(new LocalFolder(folder));
    assertThat(read.warnings())
        .containsExactly("labels.bin is present, but the original readers of 1.0.0 ignore it");
    assertThat(read.hasLabels()).isTrue();
    try (PatchLabels labels = read.openLabels()) {
      ByteBuffer found = ByteBuffer.allocate(18);
      labels.read(3, found);
      assertThat(found.array()).isEqualTo(labelled.labels(3, 2));
    }
  }

  @Property(tries = 200)
  void theFilesHoldEveryExampleOnce(RandomValues any) throws IOException {
    int examples = any.intBetween(0, 500);
    int budget = any.intBetween(30, 400);
    Geometry geometry = new Geometry(examples, List.of(13, 21, 23), 10, 16);
    SaevWritePlan target =
        new SaevWritePlan(
            fixture().withGeometry(geometry).withTokensPerShard(budget), Tail.FULL, null);
    assertThat(target.examplesPerShard()).isEqualTo(budget / 30);
    long next = 0;
    for (long i = 0; i < target.shardCount(); i++) {
      ShardPlan plan = target.shard(i);
      assertThat(plan.first()).isEqualTo(next);
      assertThat(plan.examples()).isBetween(1L, target.examplesPerShard());
      next += plan.examples();
    }
    assertThat(next).isEqualTo(examples);
  }

  private static List<Long> lengths(SaevWritePlan target) {
    return LongStream.range(0, target.shardCount())
        .mapToObj(i -> target.shard(i).length())
        .toList();
  }

  private static SaevMetadata fixture() throws IOException {
    Path file = FIXTURE.resolve("metadata.json");
    return SaevMetadata.parse(file.toString(), Files.readAllBytes(file));
  }
}
