package org.saevhadoop.format.arrays.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.ArrayOptions;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileWarnings;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.zip.ArchiveEntry;

/** Finds the problems in a dataset of arrays: in each file, and in all files together. */
public final class ArrayCheck {
  private ArrayCheck() {}

  /**
   * Reads all headers, and the entries of ZIP archives to compare their checksums.
   *
   * @param warnings accepts findings that are unusual but valid
   */
  public static List<FormatException> problems(
      Location location, ArrayReader reader, ArrayOptions options, Consumer<String> warnings)
      throws IOException {
    List<FormatException> problems = new ArrayList<>();
    List<ArrayFiles.Found> files;
    try {
      files = ArrayFiles.of(location, reader, options.files());
    } catch (FormatException e) {
      return List.of(e);
    }
    FileWarnings mismatches = new FileWarnings();
    for (ArrayFiles.Found file : files) {
      try (Input in = file.folder().open(file.name())) {
        compare(in, reader.read(file.opened(in).folder(), file.name()), reader, mismatches);
      } catch (FormatException e) {
        problems.add(e);
      }
    }
    mismatches.lines().forEach(warnings);
    if (problems.isEmpty()) {
      try {
        ArrayDataset.open(location, reader, options).warnings().forEach(warnings);
      } catch (FormatException e) {
        problems.add(e);
      }
    }
    return problems;
  }

  /** Compares checksums. A program that writes wrong checksums does so in every file. */
  private static void compare(
      Input in, ArrayFile content, ArrayReader reader, FileWarnings mismatches) throws IOException {
    for (ArchiveEntry entry : content.entries()) {
      try {
        entry.check(in);
      } catch (FormatException e) {
        if (!reader.mayLackChecksums()) {
          throw e;
        }
        mismatches.add(e.problem(), e.path());
      }
    }
  }
}
