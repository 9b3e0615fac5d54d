package org.saevhadoop.format.saev.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.saev.directory.SaevFinding.Level;
import org.saevhadoop.format.saev.metadata.NormalizedMetadata;
import org.saevhadoop.format.saev.metadata.SaevError;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.Sidecars;

/**
 * Directory of SAEV shards. The location of each example follows from metadata.json alone;
 * shards.json and the lengths of the files only confirm it. The offset of (example, layer, token)
 * is {@code ((example % S * L + layerIndex) * T + token) * dim * 4} in file {@code example / S}.
 */
public final class SaevDataset implements ActivationDataset {
  /** Name of the file of the patch labels, uint8 {@code [n, P]}. */
  static final String LABELS = "labels.bin";

  private final Folder folder;
  private final SaevDirectory directory;
  private final SaevMetadata metadata;
  private final Activations activations;
  private final Shards shards;
  private final boolean checked;

  private SaevDataset(Folder folder, SaevDirectory directory, boolean checked)
      throws FormatException {
    this.folder = folder;
    this.directory = directory;
    this.checked = checked;
    this.metadata = directory.metadata();
    this.activations =
        new Activations(
            metadata.geometry(), OptionalInt.of(metadata.clsToken() ? 1 : 0), provenance());
    this.shards = new Shards(directory.shards());
    if (directory.shardInfoError().isPresent()) {
      throw directory.shardInfoError().get();
    }
  }

  /** Returns whether a file name has the form of a shard name. */
  public static boolean isShard(String file) {
    return SaevDirectory.DATA_FILE.matcher(file).matches();
  }

  /** Returns whether a file name is one that a dataset file can have. */
  public static boolean isPart(String file) {
    return isShard(file)
        || file.equals(SaevMetadata.FILE)
        || file.equals(ShardInfo.FILE)
        || file.equals(LABELS);
  }

  /**
   * Opens a directory for reading its activations.
   *
   * @throws FormatException if a document is invalid, a shard is missing or too short, or the
   *     dataset is unfinished: a reader would return wrong values
   */
  public static SaevDataset open(Folder folder) throws IOException {
    SaevDataset dataset = inspect(folder);
    for (SaevFinding finding : dataset.directory.findings()) {
      if (finding.level() == Level.FAULT) {
        SaevError kind = finding.isSummary() ? SaevError.MISSING_FILE : SaevError.BAD_SHARD;
        throw kind.of(folder.path(finding.file()), null, finding.problem(), null);
      }
    }
    return dataset;
  }

  /** Opens a directory in any state for inspection; its faults are reported as warnings. */
  public static SaevDataset inspect(Folder folder) throws IOException {
    return new SaevDataset(folder, SaevDirectory.read(folder), false);
  }

  /**
   * Opens a directory that was previously opened with {@link #open}. Only metadata.json is read;
   * files are assumed to be unchanged since then, and reading a file that has changed is an error.
   * Labels are assumed to exist if the dataset can have labels.
   */
  public static SaevDataset openChecked(Folder folder) throws IOException {
    return new SaevDataset(folder, SaevDirectory.readChecked(folder), true);
  }

  /** Returns the metadata from metadata.json. */
  public SaevMetadata metadata() {
    return metadata;
  }

  /** Returns the expected name of the directory. */
  public String hash() {
    return metadata.hash(folder.name());
  }

  /** Returns whether the name of the directory is the hash of its metadata. */
  public boolean hashMatches() {
    return folder.name().equals(hash());
  }

  /**
   * Returns the shards to be listed for the user, including the empty one that the writer of the
   * saev project leaves behind; missing files have a length of -1 bytes.
   */
  public List<Shard> listedShards() {
    return directory.listed();
  }

  /** Returns the names of the files that belong to the dataset. */
  public Set<String> fileNames() {
    Set<String> names = new HashSet<>(Set.of(SaevMetadata.FILE, ShardInfo.FILE, LABELS));
    listedShards().forEach(shard -> names.add(shard.name()));
    return names;
  }

  @Override
  public Folder folder() {
    return folder;
  }

  @Override
  public Activations activations() {
    return activations;
  }

  @Override
  public Shards shards() {
    return shards;
  }

  @Override
  public BlockOrder storageOrder() {
    return BlockOrder.byExample(table());
  }

  @Override
  public BlockOffsets placement(int shard, Input file) throws IOException {
    Optional<String> shortage = SaevDirectory.shortage(metadata, shards.get(shard), file.length());
    if (shortage.isPresent()) {
      throw SaevError.BAD_SHARD.of(file.path(), null, shortage.get(), null);
    }
    long[] base = new long[geometry().layers().size()];
    for (int i = 0; i < base.length; i++) {
      base[i] = i * geometry().blockBytes();
    }
    return BlockOffsets.strided(base, geometry().exampleBytes());
  }

  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    long bytes = geometry().exampleBytes();
    return List.of(new ByteRange(indexInShard * bytes, examples * bytes));
  }

  @Override
  public boolean hasLabels() {
    return checked ? metadata.patches() > 0 : directory.isLabelled();
  }

  @Override
  public PatchLabels openLabels() throws IOException {
    if (!hasLabels()) {
      return ActivationDataset.super.openLabels();
    }
    Input file = folder.open(LABELS);
    try {
      checkLabels(file.length());
    } catch (FormatException e) {
      file.close();
      throw e;
    }
    return new LabelsFile(file, metadata.patches());
  }

  /** The file may have changed since the dataset was opened. */
  private void checkLabels(long bytes) throws FormatException {
    DatasetError.NO_LABELS.check(
        bytes == directory.labelBytes(),
        folder.path(),
        "%s has %d bytes (expected %d, one per patch)",
        LABELS,
        bytes,
        directory.labelBytes());
  }

  @Override
  public Optional<SampleMetadata> sampleMetadata() throws IOException {
    if (!checked) {
      return ActivationDataset.super.sampleMetadata();
    }
    return Optional.of(Sidecars.assumed(folder, shards.dataFiles()));
  }

  @Override
  public List<String> warnings() {
    List<String> all = new ArrayList<>(lines(Level.FAULT));
    all.addAll(lines(Level.PROBLEM, Level.WARNING));
    return all;
  }

  /**
   * Returns the metadata, the normalization that it records, and the name of the directory if it
   * does not follow from the metadata.
   */
  private Provenance provenance() {
    String text = new String(metadata.text(), StandardCharsets.UTF_8);
    Provenance known = Provenance.NONE.with(SaevMetadata.DOCUMENT, text);
    Optional<String> normalization = NormalizedMetadata.normalization(metadata);
    if (normalization.isPresent()) {
      known = known.with(Provenance.NORMALIZATION, normalization.get());
    }
    boolean other =
        SaevMetadata.looksLikeHash(folder.name()) && !folder.name().equals(metadata.hash());
    return other ? known.with(SaevMetadata.DIRECTORY_DOCUMENT, folder.name()) : known;
  }

  private List<String> lines(Level... levels) {
    return directory.findings().stream()
        .filter(finding -> List.of(levels).contains(finding.level()))
        .map(SaevFinding::line)
        .toList();
  }

  private record LabelsFile(Input file, int patches) implements PatchLabels {
    @Override
    public void read(long first, ByteBuffer dst) throws IOException {
      file.readFully(first * patches, dst);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /**
   * Returns the name of a shard, {@code acts%06d.bin}; a formatter would take seconds to produce
   * all names.
   */
  static String shardName(long index) {
    String digits = Long.toString(index);
    return "acts" + "0".repeat(Math.max(0, 6 - digits.length())) + digits + ".bin";
  }
}
