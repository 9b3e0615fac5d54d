package org.saevhadoop.converters.dryrun;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All entries below folders, with their lengths, times and inodes. */
record FolderState(Map<Path, String> entries) {
  static FolderState of(Path... folders) throws IOException {
    Map<Path, String> entries = new TreeMap<>();
    for (Path folder : folders) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path path : all.toList()) {
          BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
          entries.put(
              path,
              "%d bytes, %s, %s"
                  .formatted(found.size(), found.lastModifiedTime(), found.fileKey()));
        }
      }
    }
    return new FolderState(entries);
  }
}
