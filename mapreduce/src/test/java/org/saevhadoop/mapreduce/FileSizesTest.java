package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.saev.directory.SaevWritePlan;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.safetensors.SafetensorsKeys;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ConversionSource;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.PreparedWrite;

/** The default sizes of files, which depend on the dataset alone. */
class FileSizesTest {
  private static final long MIB = 1 << 20;
  private static final Settings KEYED =
      Settings.NONE.withText(SafetensorsKeys.LAYOUT, "kv", "--kv");

  /** An example has 128 KiB, in two layers of 64 tokens. */
  private static final Geometry GEOMETRY = geometry(1000);

  private static Geometry geometry(long examples) {
    return new Geometry(examples, List.of(1, 2), 64, 256);
  }

  /** The sizes of datasets are in MiB: 64 MiB are 512 examples, a budget of 2,400,000 18,750. */
  @ParameterizedTest
  @CsvSource({
    "safetensors, 1, saev.output.batch.size, 512",
    "safetensors, 1024, saev.output.batch.size, 512",
    "safetensors, 1600, saev.output.batch.size, 800",
    "safetensors, 100000, saev.output.batch.size,",
    "saev, 1, saev.output.tokens.per.shard, 1024",
    "saev, 1024, saev.output.tokens.per.shard, 65536",
    "saev, 1600, saev.output.tokens.per.shard, 102400",
    "saev, 100000, saev.output.tokens.per.shard, 2400000",
    "pickle, 1, saev.output.pickle.shard.mb, 68",
    "pickle, 1600, saev.output.pickle.shard.mb, 105",
    "pickle, 100000, saev.output.pickle.shard.mb,",
    "samediff, 1, saev.output.samediff.shard.bytes, 67108864",
    "samediff, 1600, saev.output.samediff.shard.bytes, 104857600",
    "samediff, 100000, saev.output.samediff.shard.bytes,",
  })
  void aFileHasA16thOfTheDatasetWithinLimits(
      String format, long mebibytes, String key, String expected) throws IOException {
    Geometry geometry = geometry(mebibytes * 8);
    PreparedWrite prepared = prepare(format, geometry, Settings.NONE, Provenance.NONE);
    assertThat(text(prepared, key)).isEqualTo(expected);
  }

  /** With a MiB for the header, so that less than 64 MiB of values are one file. */
  @ParameterizedTest
  @CsvSource({"1, 65", "1600, 101", "100000,"})
  void filesOfTheKeyedLayoutHaveRoomForTheirHeader(long mebibytes, String expected)
      throws IOException {
    Geometry geometry = geometry(mebibytes * 8);
    PreparedWrite prepared = prepare("safetensors", geometry, KEYED, Provenance.NONE);
    assertThat(text(prepared, "saev.output.shard.mb")).isEqualTo(expected);
  }

  @Test
  void anyDatasetHasAtMost16FilesUnlessTheMaximumApplies() throws IOException {
    Random random = new Random(28);
    for (int i = 0; i < 150; i++) {
      List<Integer> layers = IntStream.range(0, 1 + random.nextInt(3)).boxed().toList();
      Geometry geometry =
          new Geometry(
              1L << random.nextInt(24) | random.nextInt(1 << 12),
              layers,
              1 + random.nextInt(300),
              1 + random.nextInt(1500));
      assertFiles(geometry, "safetensors", "saev.output.batch.size", 1, 1L << 30);
      long vectors = (long) layers.size() * geometry.tokens();
      long most = 2_400_000 / vectors * geometry.exampleBytes();
      assertFiles(geometry, "saev", "saev.output.tokens.per.shard", vectors, most);
      long bytes = geometry.exampleBytes();
      assertFiles(geometry, "samediff", "saev.output.samediff.shard.bytes", bytes, 1L << 30);
      double megabytes = bytes / 1e6;
      assertFiles(geometry, "pickle", "saev.output.pickle.shard.mb", megabytes, 200_000_000);
    }
  }

  /**
   * Asserts the number of files.
   *
   * @param unit the value of the key for one example
   * @param most the maximum size of a file
   */
  private static void assertFiles(
      Geometry geometry, String format, String key, double unit, long most) throws IOException {
    PreparedWrite prepared = prepare(format, geometry, Settings.NONE, Provenance.NONE);
    String value = text(prepared, key);
    long bytes = geometry.examples() * geometry.exampleBytes();
    long perFile =
        value == null
            ? Math.max(1, most / geometry.exampleBytes())
            : (long) (Long.parseLong(value) / unit);
    long files = (geometry.examples() - 1) / perFile + 1;
    String name = format + " " + geometry + " " + value;
    assertThat(perFile * geometry.exampleBytes())
        .as(name)
        .isBetween(1L, Math.max(most, geometry.exampleBytes()));
    if (bytes <= Math.min(most, 64 * MIB)) {
      assertThat(files).as(name).isEqualTo(1);
    } else if (bytes / 16 + geometry.exampleBytes() <= most - 1_000_000) {
      assertThat(files).as(name).isLessThanOrEqualTo(16);
      assertThat(perFile * geometry.exampleBytes()).as(name).isGreaterThanOrEqualTo(64 * MIB);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 100})
  void aSmallDatasetIsOneFullShard(long examples) throws IOException {
    Geometry geometry = new Geometry(examples, List.of(1), 2, 4);
    SaevMetadata metadata = saev(geometry);
    assertThat(metadata.examplesPerShard()).isEqualTo(examples);
    assertThat(new SaevWritePlan(metadata, SaevWritePlan.Tail.FULL, null).paddedExamples())
        .isZero();
  }

  /** As examples_per_shard must be at least 1. */
  @ParameterizedTest
  @CsvSource({"0, 10", "1, 3000000"})
  void oneExampleFitsInAShardAtLeast(long examples, int tokens) throws IOException {
    assertThat(saev(new Geometry(examples, List.of(1), tokens, 4)).examplesPerShard()).isOne();
  }

  private static SaevMetadata saev(Geometry geometry) throws IOException {
    PreparedWrite prepared = prepare("saev", geometry, Settings.NONE, Provenance.NONE);
    String text = prepared.provenance().document(SaevMetadata.DOCUMENT).orElseThrow();
    return SaevMetadata.parse("metadata.json", text.getBytes(StandardCharsets.UTF_8));
  }

  /** As older builds began them, with the budget of saev and files of the maximum size. */
  @ParameterizedTest
  @CsvSource({
    "safetensors, saev.output.batch.size",
    "saev, saev.output.tokens.per.shard",
    "pickle, saev.output.pickle.shard.mb",
    "samediff, saev.output.samediff.shard.bytes"
  })
  void runsWithoutASizeKeepTheMaximum(String format, String key) throws IOException {
    ConversionSource source = source(GEOMETRY, Provenance.NONE).withoutFileBytes();
    PreparedWrite prepared = writing(format).prepare(source, Settings.NONE, null);
    assertThat(text(prepared, key)).isNull();
    assertThat(prepared.provenance().document(SaevMetadata.DOCUMENT).orElse("2400000"))
        .contains("2400000");
  }

  @Test
  void theTailsThatNeedASizeOfTheUserKeepIt() throws IOException {
    Settings padded =
        Settings.NONE
            .withText(SafetensorsKeys.TAIL, "pad", "--tail")
            .withText(SafetensorsKeys.BATCH_SIZE, "300", "--batch-size");
    PreparedWrite prepared = prepare("safetensors", GEOMETRY, padded, Provenance.NONE);
    assertThat(text(prepared, "saev.output.batch.size")).isEqualTo("300");
  }

  @Test
  void metadataOfTheSourceKeepsItsBudget() throws IOException {
    String metadata =
        Files.readString(OutputJob.FIXTURE.resolve("metadata.json"))
            .replaceFirst("(_per_shard\":\\s*)\\d+", "$1" + 5000);
    Provenance known = Provenance.NONE.with(SaevMetadata.DOCUMENT, metadata);
    PreparedWrite prepared = prepare("saev", GEOMETRY, Settings.NONE, known);
    assertThat(text(prepared, "saev.output.tokens.per.shard")).isNull();
  }

  private static DatasetWriting writing(String name) {
    return DatasetFormats.registry().named(name).orElseThrow().requireWriting();
  }

  private static PreparedWrite prepare(
      String name, Geometry geometry, Settings settings, Provenance provenance) throws IOException {
    DatasetWriting writing = writing(name);
    PreparedWrite prepared = writing.prepare(source(geometry, provenance), settings, null);
    assertThat(writing.writingKeys()).containsAll(writing.fileSizeKeys());
    return prepared;
  }

  private static ConversionSource source(Geometry geometry, Provenance provenance) {
    InventedDataset dataset =
        new InventedDataset(geometry, false, Math.max(1, geometry.examples()));
    return new ConversionSource(
        "source",
        "safetensors",
        dataset,
        dataset.table(),
        false,
        provenance,
        new ModelName("clip", "invented"),
        false,
        Settings.NONE,
        ConversionSource.defaultFileBytes(dataset.table()));
  }

  private static String text(PreparedWrite prepared, String name) {
    String[] found = {null};
    prepared
        .settings()
        .forEachText(
            (SettingKey<?> key, String value) ->
                found[0] = key.name().equals(name) ? value : found[0]);
    return found[0];
  }
}
