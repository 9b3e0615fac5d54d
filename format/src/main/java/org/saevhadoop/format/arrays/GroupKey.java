package org.saevhadoop.format.arrays;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.LayerNumber;
import org.saevhadoop.format.arrays.file.NamePattern.Part;
import org.saevhadoop.format.dataset.NaturalOrder;

/**
 * What orders a group, and what its arrays have in common.
 *
 * @param shard the value of {@code {shard}}, or an empty text
 * @param example the value of {@code {example}}, or an empty text
 * @param rest the path of the file without what names the layer
 * @param part the index of the part of the file
 */
record GroupKey(String shard, String example, String rest, int part) {
  /** The order of the examples. */
  static final Comparator<GroupKey> ORDER =
      Comparator.comparing(GroupKey::shard, NaturalOrder.OF_NAMES)
          .thenComparing(GroupKey::example, NaturalOrder.OF_NAMES)
          .thenComparing(GroupKey::rest, NaturalOrder.OF_NAMES)
          .thenComparingInt(GroupKey::part);

  /**
   * Returns the key of an array.
   *
   * @param names what placeholders stand for in the path of the file and in the name of the array
   * @param part the index of the part of the file
   */
  static GroupKey of(
      Map<Part, String> names, ArrayFiles.Found file, int part, ArrayOptions options) {
    return new GroupKey(
        names.getOrDefault(Part.SHARD, ""),
        names.getOrDefault(Part.EXAMPLE, ""),
        rest(file, options),
        part);
  }

  /** Returns what the files of all layers of the same examples have in common in their paths. */
  private static String rest(ArrayFiles.Found file, ArrayOptions options) {
    if (options.files() != null) {
      // the parts that differ between groups are in the key
      return options.files().parts().isEmpty() ? file.path() : literal(file);
    }
    return LayerNumber.find(file.path()).map(LayerNumber::rest).orElse(file.path());
  }

  /** Returns the values of the placeholders that are not those of the layer. */
  private static String literal(ArrayFiles.Found file) {
    Map<Part, String> others = new TreeMap<>(file.parts());
    others.remove(Part.LAYER);
    others.remove(Part.HOOK);
    return String.join("/", others.values());
  }
}
