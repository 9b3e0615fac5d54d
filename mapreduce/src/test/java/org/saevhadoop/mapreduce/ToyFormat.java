package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetReport;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.spi.ReportSink;
import org.saevhadoop.format.tensor.DType;

/** A format that is only read: a file of bytes, each of which is an example of one column. */
public final class ToyFormat implements DatasetFormat {
  /** The name of the file in a folder. */
  public static final String FILE = "values.toy";

  /** The formats of the project, and this one. */
  public static final DatasetFormats FORMATS = new DatasetFormats(withToy());

  private static List<DatasetFormat> withToy() {
    List<DatasetFormat> formats = new ArrayList<>(DatasetFormats.registry().all());
    formats.add(new ToyFormat());
    return formats;
  }

  @Override
  public String name() {
    return "toy";
  }

  @Override
  public String expected() {
    return FILE;
  }

  @Override
  public FormatEvidence detect(Location location) throws IOException {
    boolean found = !location.isFile() && location.files().containsKey(FILE);
    return found ? FormatEvidence.CERTAIN : FormatEvidence.NONE;
  }

  @Override
  public List<SettingKey<?>> readingKeys() {
    return List.of();
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    return new ToyDataset(location.folder(), location.files().get(FILE));
  }

  @Override
  public void describe(
      Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException {
    sink.report(new DatasetReport().put("format", name()));
  }

  @Override
  public List<FormatException> check(
      Location location,
      Settings settings,
      ProvenanceReader provenance,
      Consumer<String> warnings) {
    return List.of();
  }

  private record ToyDataset(Folder folder, long examples) implements TableDataset {
    @Override
    public TableShape table() {
      return new TableShape(examples, List.of(new Column("value", DType.U8, List.of())));
    }

    @Override
    public Shards shards() {
      return new Shards(List.of(new Shard(FILE, 0, examples, examples)));
    }

    @Override
    public BlockOrder storageOrder() {
      return BlockOrder.byExample(table());
    }

    @Override
    public BlockOffsets placement(int shard, Input file) {
      return BlockOffsets.contiguous(table(), storageOrder(), 0, 0);
    }

    @Override
    public List<ByteRange> expectedRanges(
        int shard, long indexInShard, long count, List<Integer> columns) {
      return List.of(new ByteRange(indexInShard, count));
    }
  }
}
