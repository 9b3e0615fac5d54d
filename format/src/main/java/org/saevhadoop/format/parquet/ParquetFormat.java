package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.parquet.write.ParquetWritePlan;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.spi.ReportSink;

/** The format of Parquet files, which are written and not read. */
public final class ParquetFormat implements DatasetFormat {
  /** A dataset that is written, none of whose values is read. */
  private record Written(Folder folder) implements ActivationDataset {
    @Override
    public Activations activations() {
      return new Activations(
          new Geometry(0, List.of(0), 1, 1), OptionalInt.empty(), Provenance.NONE);
    }

    @Override
    public Shards shards() {
      return new Shards(List.of());
    }

    @Override
    public BlockOrder storageOrder() {
      return BlockOrder.byColumn(table());
    }

    @Override
    public BlockOffsets placement(int shard, Input file) throws FormatException {
      throw unread(path());
    }

    @Override
    public List<ByteRange> expectedRanges(
        int shard, long indexInShard, long examples, List<Integer> columns) {
      return List.of();
    }
  }

  private static FormatException unread(String path) {
    return DatasetError.UNSUPPORTED.in(path, "is a dataset in Parquet files, which is not read");
  }

  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public String expected() {
    return "*.parquet";
  }

  @Override
  public FormatEvidence detect(Location location) throws IOException {
    return !location.isFile() && location.files().containsKey(ParquetWritePlan.SUMMARY)
        ? FormatEvidence.CERTAIN
        : FormatEvidence.NONE;
  }

  @Override
  public List<SettingKey<?>> readingKeys() {
    return List.of();
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance) {
    return new Written(location.folder());
  }

  @Override
  public void describe(
      Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws FormatException {
    throw unread(location.path());
  }

  @Override
  public List<FormatException> check(
      Location location,
      Settings settings,
      ProvenanceReader provenance,
      Consumer<String> warnings) {
    return List.of(unread(location.path()));
  }

  @Override
  public Optional<DatasetWriting> writing() {
    return Optional.of(new ParquetWriting());
  }
}
