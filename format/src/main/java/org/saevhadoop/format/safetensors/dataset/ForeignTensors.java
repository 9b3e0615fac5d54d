package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.arrays.ArrayChoice;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.IntegerFiles;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;

/**
 * Safetensors files in an arrangement used by another program. Files with metadata of this package
 * are read as if they contained no tensors.
 */
public record ForeignTensors(HeaderStrictness strictness) implements ArrayReader {
  private static final String OWN_KEYS = "saev.";

  /** The maximum number of headers to read until one lists tensors other than integers. */
  private static final int MAX_INTEGERS = 16;

  /**
   * Returns whether the files at a location are not a table of examples: they contain token ids in
   * addition to activations, tensor names with layer numbers, or one vector each. The first file
   * with non-integer tensors determines the result, because integers may belong to the tokens of
   * other files. A file with one tensor can have the layer number in its file name.
   *
   * @param isMapped whether the user has named the tensors that are activations; if so, tensors
   *     without a common leading dimension are not a table either
   */
  public static boolean areAt(Location location, HeaderStrictness strictness, boolean isMapped)
      throws IOException {
    if (!location.isFile() && location.files().containsKey(SafetensorsTable.MANIFEST)) {
      return false;
    }
    List<String> names =
        location.files().keySet().stream()
            .filter(file -> location.isFile() || file.endsWith(SafetensorsTable.SUFFIX))
            .filter(file -> location.isFile() || ArrayFiles.isData(file))
            .limit(MAX_INTEGERS)
            .toList();
    boolean isFirst = false;
    for (String name : names) {
      try (Input in = location.folder().open(name)) {
        SafetensorsHeader header = SafetensorsHeader.read(in, strictness);
        ArrayFile file = layers(header);
        boolean areArrays =
            isForeign(name, file) || (isMapped || ArrayChoice.areSeveral(file)) && !isTable(header);
        if (isOwn(file) || !IntegerFiles.isOne(file)) {
          return areArrays;
        }
        isFirst |= areArrays && name.equals(names.get(0));
      }
    }
    return isFirst;
  }

  /** Returns the tensors, or none if the file has more tensors than a model can have layers. */
  private static ArrayFile layers(SafetensorsHeader header) {
    return header.tensors().size() > Geometry.MAX_LAYERS
        ? ArrayFile.of(List.of())
        : SafetensorsArrays.of(header);
  }

  private static boolean isTable(SafetensorsHeader header) {
    return header.tensors().isEmpty()
        || BatchFile.fits(header, DatasetManifest.Entry.UNKNOWN)
        || KeyedFile.countIds(header, SafetensorsOptions.SEPARATOR) > 0;
  }

  private static boolean isForeign(String name, ArrayFile file) {
    return !isOwn(file)
        && file.arrays().stream().noneMatch(a -> a.name().contains(SafetensorsOptions.SEPARATOR))
        && ArrayChoice.isDecided(name, file);
  }

  private static boolean isOwn(ArrayFile file) {
    return file.values().keySet().stream().anyMatch(key -> key.startsWith(OWN_KEYS));
  }

  @Override
  public boolean isNamed(String file) {
    return file.endsWith(SafetensorsTable.SUFFIX);
  }

  @Override
  public ArrayFile read(Folder folder, String file) throws IOException {
    try (Input in = folder.open(file)) {
      ArrayFile content = layers(SafetensorsHeader.read(in, strictness));
      return isOwn(content) ? ArrayFile.of(List.of()) : content;
    }
  }
}
