package org.saevhadoop.format.safetensors.dataset;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.dataset.DatasetManifest.Entry;
import org.saevhadoop.format.safetensors.header.JsonText;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;

/**
 * Finds all problems of a dataset, whereas readers stop at the first one. Headers are read one at a
 * time, and are read again for the ids in the key-value layout; in addition to one header, 8 bytes
 * per id are held in memory.
 */
public final class DatasetCheck {
  private final Folder folder;
  private final SafetensorsOptions options;
  private final SortedMap<String, Long> present;
  private final List<FormatException> problems = new ArrayList<>();
  private final Set<String> files = new LinkedHashSet<>();
  private final List<Shard> parts = new ArrayList<>(); // the valid files
  private @Nullable String unmarked;
  private boolean ones;
  private @Nullable TensorLayout layout;
  private boolean ambiguous;
  private boolean declared;
  private boolean keyless;
  private String separator = "";
  private @Nullable List<Column> columns;
  private String first = "";
  private long examples;

  private DatasetCheck(Folder folder, SafetensorsOptions options) throws IOException {
    this.folder = folder;
    this.options = options;
    this.present = folder.files();
  }

  /** Checks a directory of safetensors files. */
  public static DatasetCheck of(Folder folder, SafetensorsOptions options) throws IOException {
    DatasetCheck check = new DatasetCheck(folder, options);
    List<Entry> listing = TensorFiles.listing(check.present);
    boolean hasManifest = check.present.containsKey(DatasetManifest.FILE);
    Optional<DatasetManifest> manifest =
        hasManifest ? DatasetManifest.check(folder, check.problems) : Optional.empty();
    List<Entry> all = manifest.map(DatasetManifest::shards).orElse(listing);
    check.ones = all.stream().allMatch(entry -> entry.examples() == 1);
    for (Entry entry : all) {
      check.file(entry);
    }
    check.orphans(listing);
    check.ids();
    check.open();
    return check;
  }

  /**
   * Returns the problems in the form {@code path: what, where (what was expected)}; empty for a
   * valid dataset.
   */
  public List<FormatException> problems() {
    return problems;
  }

  /** Returns the files that belong to the dataset, whether present or not. */
  public Set<String> files() {
    return files;
  }

  /**
   * Checks that the folder is certainly a dataset: its manifest lists the files, or each file has
   * the metadata that writers of this package add. Tensors with a common first dimension do not
   * prove that the folder is a dataset, because models can also have them.
   */
  public void requireMarked() throws FormatException {
    if (!present.containsKey(DatasetManifest.FILE) && unmarked != null) {
      throw TensorDatasetError.NOT_A_DATASET.in(
          folder.path(unmarked),
          "is not known to be part of a dataset (expected a %s that lists it, or %s in its metadata)",
          DatasetManifest.FILE,
          TensorFiles.EXAMPLES_KEY);
    }
  }

  /** Returns the layout; {@link TensorLayout#BATCH} if no file determines it. */
  public TensorLayout layout() {
    return layout == null ? TensorLayout.BATCH : layout;
  }

  private void orphans(List<Entry> listing) {
    for (Entry file : listing) {
      if (!files.contains(file.name())) {
        add(
            TensorDatasetError.ORPHAN_FILE,
            file.name(),
            "is an orphan of %d bytes: %s does not list it",
            file.bytes(),
            DatasetManifest.FILE);
      }
    }
  }

  private void file(Entry entry) throws IOException {
    boolean isFirst = files.add(entry.name());
    Long bytes = present.get(entry.name());
    try {
      TensorFiles.checkListed(folder, entry, bytes, isFirst);
    } catch (FormatException e) {
      problems.add(e);
    }
    if (!isFirst || bytes == null) {
      return;
    }
    try (Input in = folder.open(entry.name())) {
      part(entry, in.path(), SafetensorsHeader.read(in, options.strictness()));
    } catch (FormatException e) {
      problems.add(e);
    }
  }

  private void part(Entry entry, String path, SafetensorsHeader header) throws FormatException {
    if (header.tensors().isEmpty() && entry.examples() == 0) {
      return;
    }
    if (unmarked == null && !TensorFiles.isMarked(header.metadata())) {
      unmarked = entry.name();
    }
    TensorLayout known = layout == null ? settledLayout(entry, path, header) : layout;
    layout = known;
    FileLayout part = FileLayout.of(path, header, known, separator);
    if (columns == null) {
      columns = part.columns();
      first = entry.name();
    } else if (!part.hasColumns(columns)) {
      add(
          TensorDatasetError.FILES_DISAGREE,
          entry.name(),
          "holds %s (expected %s, as in %s)",
          part.columns(),
          columns,
          first);
    }
    if (entry.examples() >= 0 && entry.examples() != part.examples()) {
      add(
          TensorDatasetError.BAD_MANIFEST,
          entry.name(),
          "holds %d examples (expected %d, as in %s%s)",
          part.examples(),
          entry.examples(),
          DatasetManifest.FILE,
          keyless && !declared && parts.isEmpty()
              ? "; keys need --from-separator if their separator is not " + separator
              : "");
    }
    parts.add(new Shard(entry.name(), examples, part.examples(), entry.bytes()));
    examples += part.examples();
  }

  /**
   * Determines the layout from the first valid file. If every file has one example, both layouts
   * look alike; duplicate ids are worth reporting in that case.
   */
  private TensorLayout settledLayout(Entry entry, String path, SafetensorsHeader header)
      throws FormatException {
    Map<String, String> metadata = header.metadata() == null ? Map.of() : header.metadata();
    separator = SafetensorsTable.separator(metadata, options);
    List<String> doubts = new ArrayList<>();
    TensorLayout found = layout(path, header, metadata, entry.examples(), doubts);
    long ids = separator.isEmpty() ? -1 : KeyedFile.countIds(header, separator);
    // metadata with the number of examples also contains the layout, unless it is batch
    declared = options.layout() != null || metadata.containsKey(TensorFiles.EXAMPLES_KEY);
    ambiguous = !declared && ones && (found == TensorLayout.BATCH ? ids == 1 : !doubts.isEmpty());
    keyless = ids < 0;
    return ambiguous ? TensorLayout.KV : found;
  }

  /**
   * A number of examples that fits neither layout is reported elsewhere; only names are considered
   * here.
   */
  private TensorLayout layout(
      String path,
      SafetensorsHeader header,
      Map<String, String> metadata,
      long known,
      List<String> doubts)
      throws FormatException {
    try {
      return SafetensorsTable.layout(path, header, metadata, options, known, separator, doubts);
    } catch (FormatException e) {
      return SafetensorsTable.layout(
          path, header, metadata, options, Entry.UNKNOWN, separator, doubts);
    }
  }

  private void ids() throws IOException {
    if (layout != TensorLayout.KV) {
      return;
    }
    DuplicateKeyScan scan = DuplicateKeyScan.of(parts, this::ids, DuplicateKeyScan.AT_ONCE);
    DuplicateKeyScan.Twice twice = scan.example();
    if (twice != null) {
      problems.add(
          TensorDatasetError.DUPLICATE_ID.in(
              folder.path(),
              "the id %s is in %s and again in %s; examples with a repeated id: %d "
                  + "(expected none%s)",
              JsonText.show(twice.id()),
              twice.first(),
              twice.second(),
              scan.losers().length,
              ambiguous ? ", unless these are columns: --from-layout batch" : ""));
    }
  }

  /** Reports any further problem that opening the dataset reveals across all files. */
  private void open() throws IOException {
    if (problems.isEmpty()) {
      try {
        SafetensorsTable.open(folder, options);
      } catch (FormatException e) {
        problems.add(e);
      }
    }
  }

  @FormatMethod
  private void add(
      TensorDatasetError kind, String file, @FormatString String problem, Object... args) {
    problems.add(kind.in(folder.path(file), problem, args));
  }

  private List<String> ids(int file) throws IOException {
    try (Input in = folder.open(parts.get(file).name())) {
      SafetensorsHeader header = SafetensorsHeader.read(in, options.strictness());
      return KeyedFile.of(in.path(), header, separator).ids();
    }
  }
}
