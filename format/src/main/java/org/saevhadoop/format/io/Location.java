package org.saevhadoop.format.io;

import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The location to which a path refers: a folder, or one file in a folder. The folder is listed only
 * once.
 *
 * <p>A location is checked if the job's client has already opened the dataset there and found its
 * files complete. Tasks open the dataset at a checked location, and a format should then read no
 * more than it needs to locate blocks, because with many thousands of tasks and files, listing the
 * folder in each task would overload the NameNode.
 */
public final class Location {
  private final Folder folder;
  private final @Nullable String file;
  private final boolean checked;
  private final Listed listed;

  /** The contents of the folder, shared by the locations of its files. */
  private static final class Listed {
    private Folder.@Nullable Listing listing;
  }

  private Location(Folder folder, @Nullable String file, boolean checked, Listed listed) {
    this.folder = folder;
    this.file = file;
    this.checked = checked;
    this.listed = listed;
  }

  public static Location of(Folder folder) {
    return new Location(folder, null, false, new Listed());
  }

  public static Location of(Folder folder, String file) {
    return new Location(folder, file, false, new Listed());
  }

  /** Returns the location of another file of the folder, which is not listed again. */
  public Location sibling(String name) {
    return new Location(folder, name, checked, listed);
  }

  public Location checked() {
    return new Location(folder, file, true, new Listed());
  }

  public boolean isChecked() {
    return checked;
  }

  public boolean isFile() {
    return file != null;
  }

  /** Returns the folder, or the folder that contains the file. */
  public Folder folder() {
    return folder;
  }

  /** Returns the name of the file; the location must be a file. */
  public String file() {
    return Objects.requireNonNull(file);
  }

  public String path() {
    return file == null ? folder.path() : folder.path(file);
  }

  /** Returns the files and their lengths: all files of the folder, or the one file. */
  public SortedMap<String, Long> files() throws IOException {
    SortedMap<String, Long> all = listing().files();
    Long bytes = file == null ? null : all.get(file);
    return file == null
        ? all
        : bytes == null ? Collections.emptySortedMap() : new TreeMap<>(Map.of(file, bytes));
  }

  /** Returns the content of the folder, even if the location is a file. */
  public Folder.Listing listing() throws IOException {
    if (listed.listing == null) {
      listed.listing = folder.list();
    }
    return listed.listing;
  }
}
