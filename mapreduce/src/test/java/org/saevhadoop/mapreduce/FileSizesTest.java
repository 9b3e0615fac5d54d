package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.safetensors.SafetensorsKeys;
import org.saevhadoop.mapreduce.spi.ConversionSource;
import org.saevhadoop.mapreduce.spi.DatasetWriting;
import org.saevhadoop.mapreduce.spi.ModelName;
import org.saevhadoop.mapreduce.spi.PreparedWrite;

/** The sizes of files that formats derive from what a cluster has room for. */
class FileSizesTest {
  private static final long MIB = 1 << 20;

  /** An example has 128 KiB, in two layers of 64 tokens. */
  private static final Geometry GEOMETRY = new Geometry(1000, List.of(1, 2), 64, 256);

  @ParameterizedTest
  @CsvSource({
    "safetensors, 16, saev.output.batch.size, 128",
    "safetensors, 100000, saev.output.batch.size,",
    "saev, 16, saev.output.tokens.per.shard, 16384",
    "saev, 100000, saev.output.tokens.per.shard,",
    "pickle, 16, saev.output.pickle.shard.mb, 16",
    "pickle, 1, saev.output.pickle.shard.mb, 10",
    "pickle, 100000, saev.output.pickle.shard.mb,",
    "samediff, 16, saev.output.samediff.shard.bytes, 16777216",
    "samediff, 100000, saev.output.samediff.shard.bytes,",
  })
  void aSuggestedSizeIsUsedIfItIsBelowTheDefault(
      String format, long mebibytes, String key, String expected) throws IOException {
    PreparedWrite prepared = prepare(format, mebibytes * MIB, Settings.NONE, Provenance.NONE);
    assertThat(text(prepared, key)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"16, 50", "100, 100"})
  void filesOfTheKeyedLayoutStayWithinTheirLimits(long mebibytes, String expected)
      throws IOException {
    Settings keyed = Settings.NONE.withText(SafetensorsKeys.LAYOUT, "kv", "--kv");
    PreparedWrite prepared = prepare("safetensors", mebibytes * MIB, keyed, Provenance.NONE);
    assertThat(text(prepared, "saev.output.shard.mb")).isEqualTo(expected);
  }

  @Test
  void theTailsThatNeedASizeOfTheUserKeepIt() throws IOException {
    Settings padded =
        Settings.NONE
            .withText(SafetensorsKeys.TAIL, "pad", "--tail")
            .withText(SafetensorsKeys.BATCH_SIZE, "300", "--batch-size");
    PreparedWrite prepared = prepare("safetensors", MIB, padded, Provenance.NONE);
    assertThat(text(prepared, "saev.output.batch.size")).isEqualTo("300");
  }

  @Test
  void metadataOfTheSourceKeepsItsBudget() throws IOException {
    String metadata =
        Files.readString(OutputJob.FIXTURE.resolve("metadata.json"))
            .replaceFirst("(_per_shard\":\\s*)\\d+", "$1" + 5000);
    Provenance known = Provenance.NONE.with(SaevMetadata.DOCUMENT, metadata);
    PreparedWrite prepared = prepare("saev", MIB, Settings.NONE, known);
    assertThat(text(prepared, "saev.output.tokens.per.shard")).isNull();
  }

  private static PreparedWrite prepare(
      String name, long fileBytes, Settings settings, Provenance provenance) throws IOException {
    DatasetWriting writing = DatasetFormats.registry().named(name).orElseThrow().writing();
    InventedDataset dataset = new InventedDataset(GEOMETRY, false, 100);
    ConversionSource source =
        new ConversionSource(
            "source",
            "safetensors",
            dataset,
            dataset.table(),
            false,
            provenance,
            new ModelName("clip", "invented"),
            false,
            Settings.NONE,
            fileBytes);
    PreparedWrite prepared = writing.prepare(source, settings, null);
    assertThat(writing.writingKeys()).containsAll(writing.fileSizeKeys());
    return prepared;
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
