package org.saevhadoop.format.arrays.file;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * The content of a file of arrays.
 *
 * @param arrays the arrays in the order of the file; must not change
 * @param values numbers, strings and booleans stored with the arrays, by their names, in the order
 *     of the file: {@link Long}, {@link Double}, {@link String} or {@link Boolean}
 * @param entries the entries of the ZIP archive that contain elements, each with its CRC-32; empty
 *     if the file is not a ZIP archive. The elements of a compressed entry cannot be read in place
 * @param warnings findings that are unusual but valid, without the path of the file
 * @param following the same arrays for the examples that follow, such as those in further record
 *     batches; empty if each array is in one piece. The values, entries and warnings of this object
 *     apply to all parts
 * @param hasSamples whether the file has sample metadata, which its reader returns
 */
public record ArrayFile(
    List<FileArray> arrays,
    Map<String, Object> values,
    List<ArchiveEntry> entries,
    List<String> warnings,
    List<ArrayFile> following,
    boolean hasSamples) {
  /** Name of an array that has no name in its file. */
  public static final String UNNAMED = "array";

  public ArrayFile {
    arrays = Collections.unmodifiableList(arrays);
    entries = List.copyOf(entries);
    warnings = List.copyOf(warnings);
    following = List.copyOf(following);
  }

  /** Creates the content of a file in which each array is in one piece. */
  public ArrayFile(
      List<FileArray> arrays,
      Map<String, Object> values,
      List<ArchiveEntry> entries,
      List<String> warnings) {
    this(arrays, values, entries, warnings, List.of(), false);
  }

  /** Returns the same content with other parts after the first one. */
  public ArrayFile withFollowing(List<ArrayFile> parts) {
    return new ArrayFile(arrays, values, entries, warnings, parts, hasSamples);
  }

  /** Returns the same content, with or without sample metadata. */
  public ArrayFile withSamples(boolean isPresent) {
    return new ArrayFile(arrays, values, entries, warnings, following, isPresent);
  }

  /** Creates the content of a file that contains only arrays. */
  public static ArrayFile of(List<FileArray> arrays) {
    return new ArrayFile(arrays, Map.of(), List.of(), List.of());
  }

  /**
   * Creates the content of a file that stores its examples in several parts.
   *
   * @param parts the same arrays for successive examples, one list per part; at least one part
   */
  public static ArrayFile ofParts(List<List<FileArray>> parts, List<String> warnings) {
    return new ArrayFile(
        parts.get(0),
        Map.of(),
        List.of(),
        warnings,
        parts.stream().skip(1).map(ArrayFile::of).toList(),
        false);
  }

  /** The content of a file without examples, whose arrays have no shape; it has no parts. */
  public static final ArrayFile NO_EXAMPLES = of(List.of());

  /**
   * Returns the parts of the file in the order of their examples; the first part is this object.
   */
  public List<ArrayFile> parts() {
    if (this == NO_EXAMPLES) {
      return List.of();
    }
    if (following.isEmpty()) {
      return List.of(this);
    }
    List<ArrayFile> parts = new ArrayList<>(following.size() + 1);
    parts.add(this);
    parts.addAll(following);
    return parts;
  }
}
