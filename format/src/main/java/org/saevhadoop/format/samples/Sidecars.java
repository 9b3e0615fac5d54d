package org.saevhadoop.format.samples;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.gzip.GzipSource;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * Sample metadata in the sidecars of data files. For a range of examples, the sidecars of the data
 * files that contain the examples are read; the first one is read from its beginning.
 */
public final class Sidecars implements SampleMetadata {
  private final Folder folder;
  private final List<DataFile> files;
  private final boolean assumed;

  /**
   * The files of the folder; null unless the folder was listed because an assumed sidecar was not
   * found.
   */
  private @Nullable Set<String> listed;

  private Sidecars(Folder folder, List<DataFile> files, boolean assumed) {
    this.folder = folder;
    this.files = files;
    this.assumed = assumed;
  }

  /**
   * Returns the sample metadata stored next to data files without listing the folder, which may
   * contain hundreds of thousands of files. If the first sidecar cannot be found, the folder is
   * listed: a data file without a sidecar has no metadata, but a broken link is an error.
   *
   * @param files the data files in the order of their examples
   */
  public static SampleMetadata assumed(Folder folder, List<DataFile> files) {
    return new Sidecars(folder, files, true);
  }

  /**
   * Returns the sample metadata stored next to data files, or empty if no data file has a sidecar;
   * the folder is listed once.
   *
   * @param files the data files in the order of their examples
   */
  public static Optional<SampleMetadata> of(Folder folder, List<DataFile> files)
      throws IOException {
    return of(folder, folder.list(), files);
  }

  /**
   * Returns the sample metadata stored next to data files, or empty if no data file has a sidecar.
   *
   * @param listing the entries of the folder
   * @param files the data files in the order of their examples
   */
  public static Optional<SampleMetadata> of(
      Folder folder, Folder.Listing listing, List<DataFile> files) throws FormatException {
    Set<String> there = listing.files().keySet();
    List<DataFile> described =
        files.stream().filter(file -> there.contains(Sidecar.name(file.name()))).toList();
    Set<String> folders = listing.folders();
    for (DataFile file : folders.isEmpty() ? List.<DataFile>of() : files) {
      String sidecar = Sidecar.name(file.name());
      FileError.NOT_A_FILE.check(
          !folders.contains(sidecar), folder.path(sidecar), "is not a regular file");
    }
    return described.isEmpty()
        ? Optional.empty()
        : Optional.of(new Sidecars(folder, described, false));
  }

  /**
   * Returns the sample metadata of data files that all have a sidecar; a missing one is an error.
   *
   * @param files the data files in the order of their examples
   */
  public static SampleMetadata required(Folder folder, List<DataFile> files) {
    return new Sidecars(folder, files, false);
  }

  @Override
  public SampleMetadataCursor cursor(long first, long count) {
    return new Cursor(first, first > Long.MAX_VALUE - count ? Long.MAX_VALUE : first + count);
  }

  private final class Cursor implements SampleMetadataCursor {
    private final long first;
    private final long end;

    /** Index of the file to be opened next. */
    private int opened;

    private @Nullable SidecarReader reader;

    /** Remaining part of the last line, with examples numbered within their file. */
    private @Nullable ExampleMetadata line;

    Cursor(long first, long end) {
      this.first = first;
      this.end = end;
      this.opened = AscendingSearch.lastAtMost(files.size(), i -> files.get(i).end(), first) + 1;
    }

    @Override
    public @Nullable ExampleMetadata next() throws IOException {
      while (true) {
        ExampleMetadata rest = line == null ? nextLine() : line;
        if (rest == null) {
          return null;
        }
        DataFile file = files.get(opened - 1);
        ExampleMetadata kept = file.kept(rest);
        line = kept == null ? null : rest.part(kept.end(), rest.end());
        ExampleMetadata found =
            kept == null ? null : kept.from(file.number(kept.first())).part(first, end);
        if (found != null) {
          return found;
        }
      }
    }

    private @Nullable ExampleMetadata nextLine() throws IOException {
      while (true) {
        SidecarReader current = reader == null ? open() : reader;
        ExampleMetadata next = current == null ? null : current.next();
        if (current == null || next != null) {
          return next;
        }
        close();
      }
    }

    private @Nullable SidecarReader open() throws IOException {
      while (opened < files.size() && files.get(opened).first() < end) {
        DataFile file = files.get(opened++);
        Input in = input(Sidecar.name(file.name()));
        if (in != null) {
          reader = new SidecarReader(new GzipSource(in, 1), file.examples());
          return reader;
        }
      }
      return null;
    }

    /** Opens a sidecar, or returns null if it was only assumed to exist and does not. */
    private @Nullable Input input(String sidecar) throws IOException {
      if (listed != null && !listed.contains(sidecar)) {
        return null;
      }
      try {
        return folder.open(sidecar);
      } catch (FormatException e) {
        if (assumed && listed == null && e.kind() == FileError.NOT_FOUND) {
          listed = folder.files().keySet();
          if (!listed.contains(sidecar)) {
            return null;
          }
        }
        throw e;
      }
    }

    @Override
    public void close() throws IOException {
      if (reader != null) {
        SidecarReader closing = reader;
        reader = null;
        closing.close();
      }
    }
  }
}
