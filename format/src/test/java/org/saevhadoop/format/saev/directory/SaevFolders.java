package org.saevhadoop.format.saev.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.saev.directory.SaevWritePlan.Tail;
import org.saevhadoop.format.saev.metadata.SaevMetadata;

/** Writes datasets of invented values, and damages them. */
final class SaevFolders {
  private SaevFolders() {}

  static Path write(SaevMetadata metadata, Path folder) throws IOException {
    Files.createDirectories(folder);
    InventedFiles.write(new SaevWritePlan(metadata, Tail.FULL, null), new LocalFolder(folder));
    return folder;
  }

  /**
   * Takes steps that a semicolon separates: {@code delete NAME}, {@code folder NAME}, {@code write
   * NAME TEXT}, {@code length NAME BYTES} or {@code edit NAME TEXT => TEXT}.
   */
  static void damage(Path folder, String steps) throws IOException {
    for (String step : steps.split("; ")) {
      String[] words = step.split(" ", 3);
      Path file = folder.resolve(words[1]);
      switch (words[0]) {
        case "delete" -> Files.delete(file);
        case "folder" -> Files.createDirectory(file);
        case "write" -> Files.writeString(file, words[2]);
        case "length" -> setLength(file, Long.parseLong(words[2]));
        case "edit" -> {
          String[] texts = words[2].split(" => ", 2);
          edit(file, texts[0], texts[1]);
        }
        default -> throw new AssertionError(step);
      }
    }
  }

  static void setLength(Path file, long length) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(length);
    }
  }

  static void edit(Path file, String from, String to) throws IOException {
    String text = Files.readString(file);
    assertThat(text).contains(from);
    Files.writeString(file, text.replace(from, to));
  }

  /** Adds an entry for an empty file at the end of shards.json. */
  static void addEmptyEntry(Path folder, String name, String key) throws IOException {
    edit(
        folder.resolve("shards.json"),
        "\n]",
        ", {\"name\": \"" + name + "\", \"" + key + "\": 0}]");
  }

  /** Opens a cursor of all examples. */
  static BlockCursor examples(SaevDataset dataset) throws IOException {
    return new BlockCursor(
        dataset,
        RecordSelection.all(dataset.geometry(), RecordSelection.Unit.EXAMPLE),
        0,
        dataset.geometry().examples());
  }
}
