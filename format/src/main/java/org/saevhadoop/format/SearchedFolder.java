package org.saevhadoop.format;

import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/**
 * A folder that is searched for datasets. Each folder is listed once, no matter how many formats
 * examine it. Hidden and temporary folders, and folders that cannot be listed, are treated as
 * empty, and so are all folders once the search has taken too long.
 */
final class SearchedFolder implements Folder {
  /**
   * The limits of a search on the number of listings and on time, because an object store lists
   * slowly.
   */
  static final class Limit {
    static final int MAX_LISTINGS = 10_000;

    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final long begun = System.nanoTime();
    private int listings;
    private boolean reached;

    private boolean allows() {
      reached |= listings++ >= MAX_LISTINGS || System.nanoTime() - begun > MAX_NANOS;
      return !reached;
    }

    /** Returns whether folders were omitted. */
    boolean isReached() {
      return reached;
    }
  }

  private final Folder folder;
  private final int levels;
  private final Limit limit;
  private final Map<String, SearchedFolder> below = new HashMap<>();
  private @Nullable SortedMap<String, Long> files;
  private @Nullable SortedSet<String> folders;

  /**
   * @param levels the number of levels of folders below this one that are shown
   */
  SearchedFolder(Folder folder, int levels, Limit limit) {
    this.folder = folder;
    this.levels = levels;
    this.limit = limit;
  }

  @Override
  public String path() {
    return folder.path();
  }

  @Override
  public SortedMap<String, Long> files() {
    if (files == null) {
      files = Collections.emptySortedMap();
      if (limit.allows()) {
        try {
          files = folder.files();
        } catch (IOException e) {
          // another user's folder, or one that has just been deleted
        }
      }
    }
    return files;
  }

  @Override
  public SortedSet<String> folders() {
    if (folders == null) {
      folders = new TreeSet<>();
      if (levels > 0 && limit.allows()) {
        try {
          folders.addAll(folder.folders());
        } catch (IOException e) {
          // as above
        }
        folders.removeIf(name -> name.startsWith(".") || name.startsWith("_"));
      }
    }
    return folders;
  }

  @Override
  public Optional<Folder> folder(String name) throws IOException {
    if (levels > 0 && !below.containsKey(name)) {
      folder
          .folder(name)
          .ifPresent(found -> below.put(name, new SearchedFolder(found, levels - 1, limit)));
    }
    return Optional.ofNullable(below.get(name));
  }

  /** Returns the folder at a path of any depth below this one; messages show one level. */
  Optional<SearchedFolder> at(String path) throws IOException {
    Optional<Folder> found = Optional.of(folder);
    for (String name : path.split("/")) {
      found = found.isPresent() && limit.allows() ? found.get().folder(name) : Optional.empty();
    }
    return found.map(standard -> new SearchedFolder(standard, 1, limit));
  }

  @Override
  public Input open(String name) throws IOException {
    return folder.open(name);
  }

  @Override
  public Output create(String name) {
    throw new UnsupportedOperationException("only searched");
  }
}
