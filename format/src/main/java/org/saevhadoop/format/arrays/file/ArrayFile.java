package org.saevhadoop.format.arrays.file;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * What a file of arrays contains.
 *
 * @param arrays the arrays in the order of the file; must not change
 * @param values numbers, strings and booleans beside the arrays, by their names, in the order of
 *     the file: {@link Long}, {@link Double}, {@link String} or {@link Boolean}
 * @param entries the entries of the ZIP archive that hold elements, each with its CRC-32; empty if
 *     the file is not a ZIP archive. The elements of a compressed entry cannot be read in place
 * @param warnings findings that are unusual but valid, without the path of the file
 */
public record ArrayFile(
    List<FileArray> arrays,
    Map<String, Object> values,
    List<ArchiveEntry> entries,
    List<String> warnings) {
  /** Name of an array in a file that gives it none. */
  public static final String UNNAMED = "array";

  public ArrayFile {
    arrays = Collections.unmodifiableList(arrays);
    entries = List.copyOf(entries);
    warnings = List.copyOf(warnings);
  }

  /** Creates the content of a file that holds only arrays. */
  public static ArrayFile of(List<FileArray> arrays) {
    return new ArrayFile(arrays, Map.of(), List.of(), List.of());
  }
}
