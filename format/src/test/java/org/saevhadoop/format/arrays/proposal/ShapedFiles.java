package org.saevhadoop.format.arrays.proposal;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.proposal.ArrayProposals.Variant;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.tensor.DType;

/** Files of arrays without values, of which only names, types and shapes count. */
final class ShapedFiles implements ArrayReader {
  static final String ENDING = ".made";

  private final MemoryStorage root;
  private final Map<String, List<FileArray>> files = new HashMap<>();
  private int reads;

  ShapedFiles(String path) {
    this.root = new MemoryStorage(path);
  }

  static FileArray floats(String name, long... shape) {
    return array(name, DType.F32, shape);
  }

  static FileArray ids(String name, long... shape) {
    return array(name, DType.I64, shape);
  }

  private static FileArray array(String name, DType dtype, long... shape) {
    List<Long> sizes = LongStream.of(shape).boxed().toList();
    return new FileArray(name, dtype, StridedLayout.cOrder(0, dtype.bits() / Byte.SIZE, sizes));
  }

  ShapedFiles add(String path, FileArray... arrays) {
    MemoryStorage folder = root;
    String[] names = path.split("/");
    for (int i = 0; i < names.length - 1; i++) {
      folder = folder.makeFolder(names[i]);
    }
    folder.put(names[names.length - 1], new byte[10]);
    files.put(root.path() + "/" + path, List.of(arrays));
    return this;
  }

  Location location() {
    return Location.of(root);
  }

  /** Returns how often a header was read. */
  int reads() {
    return reads;
  }

  /** Returns what is proposed for the files, unless a document makes them a dataset. */
  ArrayProposals proposals() throws IOException {
    return ArrayProposals.of(location(), List.of(new Variant(this, false, Set.of("dataset.json"))))
        .orElseThrow();
  }

  /** Returns the options of each alternative, joined by spaces. */
  List<String> options() throws IOException {
    return proposals().alternatives().stream().map(a -> String.join(" ", a.options())).toList();
  }

  Geometry geometry() throws IOException {
    return proposals().alternatives().get(0).geometry();
  }

  @Override
  public boolean isNamed(String file) {
    return file.endsWith(ENDING);
  }

  @Override
  public ArrayFile read(Folder folder, String file) throws FormatException {
    reads++;
    List<FileArray> arrays = files.get(folder.path(file));
    if (arrays == null || arrays.isEmpty()) {
      throw FileError.TRUNCATED.in(folder.path(file), "is damaged");
    }
    return ArrayFile.of(arrays);
  }
}
