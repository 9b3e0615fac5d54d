package org.saevhadoop.format.numpy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.numpy.file.NumpyReader;
import org.saevhadoop.format.numpy.file.StoredArchives;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ArrayCursor;
import org.saevhadoop.format.spi.StreamAccess;

/**
 * Datasets with compressed .npz files as a stream. Staging copies all .npz files without
 * compression; a part is some of them. Other files are read in place. Headers define the numbers of
 * all examples, so that no pass is needed to count them.
 */
final class NumpyStream implements StreamAccess {
  /** Small files are staged together, rather than in a task each. */
  private static final long PART_BYTES = 64 << 20;

  private static final int MAX_FILES = 100;

  private static final String COPY = "archive-%05d.%02d.npz";

  private final NpyFormat format;

  NumpyStream(NpyFormat format) {
    this.format = format;
  }

  private List<ArrayFiles.Found> archives(Location source, Settings settings) throws IOException {
    return ArrayFiles.of(source, format.reader(settings), ArrayKeys.options(settings).files())
        .stream()
        .filter(file -> NumpyReader.isArchive(file.name()))
        .toList();
  }

  @Override
  public boolean isNeeded(Location source, Settings settings) throws IOException {
    if (NpyFormat.isDocumented(source, settings)) {
      return false;
    }
    for (ArrayFiles.Found file : archives(source, settings)) {
      if (StoredArchives.isNeeded(file.folder(), file.name())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public List<Part> parts(Location source, Settings settings) throws IOException {
    List<Part> parts = new ArrayList<>();
    List<String> files = new ArrayList<>();
    long bytes = 0;
    for (ArrayFiles.Found file : archives(source, settings)) {
      if (files.size() == MAX_FILES || !files.isEmpty() && bytes + file.bytes() > PART_BYTES) {
        parts.add(new Part(parts.size(), files, bytes));
        files.clear();
        bytes = 0;
      }
      files.add(file.path());
      bytes += file.bytes();
    }
    parts.add(new Part(parts.size(), files, bytes));
    return parts;
  }

  @Override
  public Provenance provenance(Location source) {
    return Provenance.NONE;
  }

  /** Not supported: NpyInputFormat reads datasets, not streams of arrays. */
  @Override
  public ArrayCursor arrays(Input file, Path localFolder) {
    throw new UnsupportedOperationException("arrays of .npz files are read as a dataset");
  }

  /** Reads all headers, so that files that are not a dataset are refused before they are copied. */
  @Override
  public Settings prepare(Location source, Settings settings) throws IOException {
    format.headers(source, settings);
    return settings;
  }

  /** Writes nothing, as headers number the examples. */
  @Override
  public void catalogue(
      Part part, List<Input> inputs, Settings settings, Folder target, Path localFolder) {}

  /** Returns all parts: a layer may be in any of them. */
  @Override
  public List<Integer> choose(
      Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException {
    return parts(source, settings).stream().map(Part::number).toList();
  }

  @Override
  public void stage(
      Part part,
      List<Input> inputs,
      Settings settings,
      ProjectionRequest request,
      Folder staged,
      Folder target,
      Path localFolder)
      throws IOException {
    for (int i = 0; i < inputs.size(); i++) {
      StoredArchives.copy(inputs.get(i), target, COPY.formatted(part.number(), i));
    }
  }

  @Override
  public void join(Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException {
    Map<String, String> copies = new TreeMap<>();
    for (Part part : parts(source, settings)) {
      for (int i = 0; i < part.files().size(); i++) {
        copies.put(part.files().get(i), COPY.formatted(part.number(), i));
      }
    }
    StagedArchives.of(source, settings, copies).write(staged);
  }

  @Override
  public TableDataset openStaged(Folder staged, Storage storage, ProvenanceReader provenance)
      throws IOException {
    StagedArchives document = StagedArchives.read(staged);
    return format.open(
        document.open(staged, storage),
        Settings.ofTexts(document.settings(), format.readingKeys()),
        provenance);
  }
}
