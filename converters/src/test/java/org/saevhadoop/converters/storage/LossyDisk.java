package org.saevhadoop.converters.storage;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A model of a disk that loses what was not forced. It replays calls of the system, and returns
 * what a power failure after any of them would leave.
 *
 * <p>Two extremes are modelled. The strict disk keeps an entry of a folder only if that folder was
 * forced after the change; the eager disk keeps all changes of folders in their order, as a journal
 * does. Both keep the content of a file only if that file was forced after its last write.
 */
public final class LossyDisk {
  /** A file or a folder. */
  private static final class Node {
    private final boolean isFolder;
    private final Map<String, Node> entries = new TreeMap<>();
    private final Map<String, Node> forcedEntries = new TreeMap<>();
    private boolean isDirty;

    Node(boolean isFolder) {
      this.isFolder = isFolder;
    }
  }

  private final Path root;
  private final Node folder = new Node(true);

  public LossyDisk(Path root) {
    this.root = root;
  }

  /** Adds a file that has been on the disk for long. */
  public void addForced(Path file) {
    Node node = folder;
    for (Path name : root.relativize(file.getParent())) {
      if (!name.toString().isEmpty()) {
        node = node.entries.computeIfAbsent(name.toString(), n -> new Node(true));
      }
    }
    node.entries.put(file.getFileName().toString(), new Node(false));
    forceAll(folder);
  }

  private static void forceAll(Node node) {
    node.forcedEntries.clear();
    node.forcedEntries.putAll(node.entries);
    node.entries.values().forEach(LossyDisk::forceAll);
  }

  public void createFolder(Path path) {
    parent(path).entries.put(name(path), new Node(true));
  }

  public void openForWriting(Path path) {
    parent(path).entries.computeIfAbsent(name(path), n -> new Node(false));
  }

  public void write(Path path) {
    Node node = node(path);
    if (node != null) { // null for a file that was deleted while it was open
      node.isDirty = true;
    }
  }

  public void force(Path path) {
    Node node = node(path);
    node.isDirty = false;
    node.forcedEntries.clear();
    node.forcedEntries.putAll(node.entries);
  }

  public void rename(Path from, Path to) {
    Node moved = parent(from).entries.remove(name(from));
    parent(to).entries.put(name(to), moved);
  }

  public void delete(Path path) {
    parent(path).entries.remove(name(path));
  }

  private Node parent(Path path) {
    return node(path.getParent());
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  private Node node(Path path) {
    Node node = folder;
    for (Path name : root.relativize(path)) {
      node = name.toString().isEmpty() || node == null ? node : node.entries.get(name.toString());
    }
    return node;
  }

  /**
   * Returns the files after a power failure now, by relative path, and whether each has its
   * content.
   *
   * @param strict whether changes of folders that were not forced are lost
   */
  public Map<String, Boolean> afterPowerFailure(boolean strict) {
    Map<String, Boolean> files = new HashMap<>();
    collect(folder, "", strict, files);
    return files;
  }

  private static void collect(
      Node node, String prefix, boolean strict, Map<String, Boolean> files) {
    (strict ? node.forcedEntries : node.entries)
        .forEach(
            (name, child) -> {
              if (child.isFolder) {
                collect(child, prefix + name + "/", strict, files);
              } else {
                files.put(prefix + name, !child.isDirty);
              }
            });
  }
}
