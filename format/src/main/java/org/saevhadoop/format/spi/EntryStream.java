package org.saevhadoop.format.spi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.Settings;

/**
 * Streams whose files consist of entries with headers that contain the numbers of the examples.
 * Small files are staged together; the entries of a large file are staged by several tasks.
 */
public abstract class EntryStream implements StreamAccess {
  private static final long PART_BYTES = 32 << 20;
  private static final int MAX_FILES = 100;

  /**
   * A file of a dataset.
   *
   * @param path the path relative to the folder of the dataset
   * @param bytes the length of the file
   */
  public record EntryFile(String path, long bytes) {}

  /** Returns the files of a dataset in order. */
  protected abstract List<EntryFile> files(Location source, Settings settings) throws IOException;

  /** Returns the sizes in bytes of the entries of a file, in order. */
  protected abstract List<Long> entries(Location source, EntryFile file, Settings settings)
      throws IOException;

  @Override
  public List<Part> parts(Location source, Settings settings) throws IOException {
    List<Part> parts = new ArrayList<>();
    List<String> files = new ArrayList<>();
    long bytes = 0;
    for (EntryFile file : files(source, settings)) {
      boolean isFull = files.size() == MAX_FILES || bytes + file.bytes > PART_BYTES;
      if (isFull && !files.isEmpty()) {
        parts.add(new Part(parts.size(), files, bytes));
        files.clear();
        bytes = 0;
      }
      if (file.bytes > PART_BYTES) {
        divide(file.path, entries(source, file, settings), parts);
      } else {
        files.add(file.path);
        bytes += file.bytes;
      }
    }
    if (!files.isEmpty()) {
      parts.add(new Part(parts.size(), files, bytes));
    }
    return parts;
  }

  /** Adds the parts of a large file, each of which contains some of the file's entries. */
  private static void divide(String file, List<Long> entries, List<Part> parts) {
    int first = 0;
    long bytes = 0;
    for (int i = 0; i < entries.size(); i++) {
      bytes += entries.get(i);
      boolean isLast = i + 1 == entries.size();
      if (isLast || bytes + entries.get(i + 1) > PART_BYTES) {
        parts.add(new Part(parts.size(), List.of(file), first, i + 1, bytes));
        first = i + 1;
        bytes = 0;
      }
    }
  }

  @Override
  public Provenance provenance(Location source, Settings settings) throws IOException {
    return Provenance.NONE;
  }

  /** Throws an exception, because arrays of such files are read as a dataset, not as a stream. */
  @Override
  public ArrayCursor arrays(Input file, Path localFolder) {
    throw new UnsupportedOperationException("arrays of such files are read as a dataset");
  }

  @Override
  public Settings prepare(Location source, Settings settings) throws IOException {
    return settings;
  }

  /** Returns false, because the headers contain the numbers of the examples. */
  @Override
  public boolean isCatalogued() {
    return false;
  }

  @Override
  public void catalogue(
      Part part, List<Input> inputs, Settings settings, Folder target, Path localFolder) {
    throw new UnsupportedOperationException("headers number the examples");
  }

  @Override
  public List<Integer> choose(
      Folder staged, Location source, Settings settings, ProjectionRequest request) {
    throw new UnsupportedOperationException("headers number the examples");
  }
}
