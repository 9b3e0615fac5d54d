package org.saevhadoop.format.shuffle;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.format.tokens.TokenArrays;

/**
 * A shuffled dataset whose rows are in buckets in the files of a folder. It is read as one virtual
 * file of all rows. A folder may contain the rows of several datasets, written by the same tasks,
 * with a document for each dataset. The path of the folder denotes dataset 0; the path of a
 * document denotes the dataset that it describes.
 *
 * @param plan the information that the tasks of the shuffle need
 */
public record ShuffledDataset(ShufflePlan plan, Folder folder) implements ActivationDataset {
  /** The prefix of the names of files that contain rows. */
  public static final String PREFIX = "rows-";

  /** The name prefix of files that contain side data for rows. */
  public static final String SIDE = "side-";

  /**
   * The name of the part that consists of the plan and the other files that the client writes for
   * tasks.
   */
  public static final String PLAN = "plan";

  private static final String ROWS = "rows";

  /**
   * Returns whether a location is a folder with the files of a shuffle, or a document in such a
   * folder.
   */
  public static boolean existsAt(Location location) throws IOException {
    return location.isFile()
        ? ShufflePlan.number(location.file()).isPresent()
        : location.files().keySet().stream()
            .anyMatch(name -> name.equals(ShufflePlan.FILE) || name.startsWith(PREFIX));
  }

  /** Opens the dataset at a location that contains all of its rows. */
  public static ShuffledDataset open(Location location) throws IOException {
    int number = location.isFile() ? ShufflePlan.number(location.file()).orElse(0) : 0;
    return open(location.folder(), number);
  }

  /**
   * Opens a dataset in a folder that contains all of its rows.
   *
   * @param number the number of the dataset
   */
  public static ShuffledDataset open(Folder folder, int number) throws IOException {
    StagedFolder staged = StagedFolder.of(folder);
    ShufflePlan plan = ShufflePlan.read(staged, number);
    List<String> parts = staged.parts().stream().filter(part -> !part.equals(PLAN)).toList();
    List<String> sides = plan.side().bytes() > 0 ? parts : List.of();
    ScatteredRows rows = new ScatteredRows(staged, files(PREFIX, parts, number), plan.format());
    ScatteredRows side = new ScatteredRows(staged, files(SIDE, sides, number), plan.sideFormat());
    return new ShuffledDataset(
        plan, new RowsFolder(staged, rows.firstFile(), Map.of(ROWS, rows, SIDE, side)));
  }

  private static List<String> files(String prefix, List<String> parts, int number) {
    return parts.stream().map(part -> file(prefix, part, number)).toList();
  }

  /**
   * Returns the name of a file that belongs to a part.
   *
   * @param prefix {@link #PREFIX} or {@link #SIDE}
   * @param number the number of the dataset
   */
  public static String file(String prefix, String part, int number) {
    return prefix + part + (number == 0 ? "" : "." + number);
  }

  /** Returns the dataset before its rows are written, for planning. Nothing can be read from it. */
  public static ShuffledDataset planned(ShufflePlan plan, TableDataset source) {
    String first = source.shards().isEmpty() ? "" : source.shards().get(0).name();
    StagedFolder none = StagedFolder.of(source.folder());
    ScatteredRows rows = new ScatteredRows(none, List.of(), plan.format());
    ScatteredRows side = new ScatteredRows(none, List.of(), plan.sideFormat());
    return new ShuffledDataset(
        plan, new RowsFolder(source.folder(), first, Map.of(ROWS, rows, SIDE, side)));
  }

  /** A folder in which the rows appear as one file; messages name one of the stored files. */
  private static final class RowsFolder extends ForwardingFolder {
    private final String stored;
    private final Map<String, ScatteredRows> rows;

    RowsFolder(Folder folder, String stored, Map<String, ScatteredRows> rows) {
      super(folder);
      this.stored = stored;
      this.rows = rows;
    }

    @Override
    public String path(String name) {
      return folder().path(rows.containsKey(name) ? stored : name);
    }

    @Override
    public Input open(String name) throws IOException {
      ScatteredRows found = rows.get(name);
      return found == null ? folder().open(name) : found.open(path(name));
    }
  }

  private SideReader openSide() throws IOException {
    return new SideReader(folder.open(SIDE), plan.side());
  }

  @Override
  public boolean hasLabels() {
    return plan.side().labels() > 0;
  }

  @Override
  public PatchLabels openLabels() throws IOException {
    return hasLabels() ? openSide().labels(plan.side()) : ActivationDataset.super.openLabels();
  }

  @Override
  public TokenArrays tokenArrays() {
    boolean any = plan.side().coordinates() || plan.side().marks() > 0;
    return any ? new RowTokens(plan, this::openSide) : TokenArrays.NONE;
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

  /** Returns an empty list: the bytes of a row may be in any of the stored files. */
  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    return List.of();
  }

  @Override
  public Optional<SampleMetadata> sampleMetadata() {
    return Optional.empty();
  }
}
