package org.saevhadoop.format.arrays.proposal;

import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/**
 * A view of a folder that shows only some files.
 *
 * @param prefix the path relative to the folder of the dataset, with a trailing slash; empty for
 *     the folder of the dataset itself
 * @param shown the files in each folder, by the prefix of the folder
 */
record SampledFolder(Folder folder, String prefix, Map<String, SortedMap<String, Long>> shown)
    implements Folder {
  @Override
  public String path() {
    return folder.path();
  }

  @Override
  public SortedMap<String, Long> files() {
    return shown.getOrDefault(prefix, Collections.emptySortedMap());
  }

  @Override
  public SortedSet<String> folders() {
    SortedSet<String> names = new TreeSet<>();
    for (String other : shown.keySet()) {
      if (other.startsWith(prefix) && other.length() > prefix.length()) {
        names.add(other.substring(prefix.length(), other.indexOf('/', prefix.length())));
      }
    }
    return names;
  }

  @Override
  public Optional<Folder> folder(String name) throws IOException {
    return folder.folder(name).map(below -> new SampledFolder(below, prefix + name + "/", shown));
  }

  @Override
  public Input open(String name) throws IOException {
    return folder.open(name);
  }

  @Override
  public Output create(String name) {
    throw new UnsupportedOperationException("only read");
  }
}
