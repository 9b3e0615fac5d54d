package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Directory of the local file system. */
public record LocalFolder(Path directory) implements Folder {
  @Override
  public String path() {
    return directory.toString();
  }

  @Override
  public SortedMap<String, Long> files() throws IOException {
    SortedMap<String, Long> files = new TreeMap<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (Files.isRegularFile(entry)) {
          files.put(entry.getFileName().toString(), Files.size(entry));
        }
      }
    }
    return files;
  }

  @Override
  public Optional<Folder> folder(String name) {
    Path path = directory.resolve(name);
    return Files.isDirectory(path) ? Optional.of(new LocalFolder(path)) : Optional.empty();
  }

  @Override
  public SortedSet<String> folders() throws IOException {
    Path here = directory.toRealPath();
    SortedSet<String> folders = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (Files.isDirectory(entry) && !here.startsWith(entry.toRealPath())) {
          folders.add(entry.getFileName().toString());
        }
      }
    }
    return folders;
  }

  @Override
  public Input open(String name) throws IOException {
    return LocalFile.open(directory.resolve(name));
  }

  @Override
  public Output create(String name) throws IOException {
    return LocalFile.create(directory.resolve(name));
  }
}
