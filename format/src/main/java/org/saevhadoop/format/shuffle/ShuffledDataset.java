package org.saevhadoop.format.shuffle;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samples.SampleMetadata;

/** A shuffled dataset whose rows wait in the files of a folder: one virtual file of all rows. */
public final class ShuffledDataset implements ActivationDataset {
  /** The beginning of the names of files of rows. */
  public static final String PREFIX = "rows-";

  private static final String ROWS = "rows";

  private final ShufflePlan plan;
  private final Folder folder;

  private ShuffledDataset(ShufflePlan plan, Folder folder) {
    this.plan = plan;
    this.folder = folder;
  }

  /** Returns whether a folder contains the files of a shuffle. */
  public static boolean isIn(Folder folder) throws IOException {
    return folder.files().containsKey(ShufflePlan.FILE);
  }

  /** Opens the dataset in a folder to which all rows were written. */
  public static ShuffledDataset open(Folder folder) throws IOException {
    ShufflePlan plan = ShufflePlan.read(folder);
    List<String> files =
        folder.files().keySet().stream().filter(name -> name.startsWith(PREFIX)).toList();
    ScatteredRows rows = new ScatteredRows(folder, files, plan.format());
    return new ShuffledDataset(
        plan, new RowsFolder(folder, files.isEmpty() ? "" : files.get(0), rows));
  }

  /**
   * Returns the dataset before its rows are written, to plan what is done with it. Nothing can be
   * read from it.
   */
  public static ShuffledDataset planned(ShufflePlan plan, TableDataset source) {
    String first = source.shards().isEmpty() ? "" : source.shards().get(0).name();
    return new ShuffledDataset(plan, new RowsFolder(source.folder(), first, null));
  }

  /** A folder in which the rows appear as one file, in the path of which a stored one is named. */
  private static final class RowsFolder extends ForwardingFolder {
    private final String stored;
    private final @Nullable ScatteredRows rows;

    RowsFolder(Folder folder, String stored, @Nullable ScatteredRows rows) {
      super(folder);
      this.stored = stored;
      this.rows = rows;
    }

    @Override
    public String path(String name) {
      return folder().path(name.equals(ROWS) ? stored : name);
    }

    @Override
    public Input open(String name) throws IOException {
      return rows != null && name.equals(ROWS) ? rows.open(path(name)) : folder().open(name);
    }
  }

  public ShufflePlan plan() {
    return plan;
  }

  @Override
  public Folder folder() {
    return folder;
  }

  @Override
  public Activations activations() {
    return plan.activations();
  }

  @Override
  public Shards shards() {
    long rows = geometry().examples();
    return new Shards(
        rows == 0
            ? List.of()
            : List.of(new Shard(ROWS, 0, rows, rows * geometry().exampleBytes())));
  }

  @Override
  public BlockOrder storageOrder() {
    return BlockOrder.byExample(table());
  }

  @Override
  public BlockOffsets placement(int shard, Input file) {
    return BlockOffsets.contiguous(table(), storageOrder(), geometry().examples(), 0);
  }

  /** Returns nothing: the bytes of a row may be in any of the stored files. */
  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    return List.of();
  }

  @Override
  public Optional<SampleMetadata> sampleMetadata() {
    return Optional.empty();
  }

  @Override
  public List<String> warnings() {
    return List.of();
  }
}
