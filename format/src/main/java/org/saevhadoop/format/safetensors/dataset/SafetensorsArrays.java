package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import java.util.TreeMap;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.SharedContents;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.header.HeaderFile;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;

/** Reads the tensors of safetensors files that are in neither layout of this package. */
public final class SafetensorsArrays implements ArrayReader {
  private final HeaderStrictness strictness;
  private final SharedContents contents = new SharedContents();

  public SafetensorsArrays(HeaderStrictness strictness) {
    this.strictness = strictness;
  }

  /** Tensors as arrays; an array is created on its first use. */
  private static final class Tensors extends AbstractList<FileArray> implements RandomAccess {
    private final SafetensorsHeader header;
    private final int[] indexes;

    Tensors(SafetensorsHeader header, int[] indexes) {
      this.header = header;
      this.indexes = indexes;
    }

    @Override
    public FileArray get(int index) {
      TensorInfo tensor = header.tensors().get(indexes[index]);
      StridedLayout layout =
          StridedLayout.cOrder(
              header.dataStart() + tensor.begin(),
              tensor.dtype().bits() / Byte.SIZE,
              tensor.shape());
      return new FileArray(tensor.name(), tensor.dtype(), layout);
    }

    @Override
    public int size() {
      return indexes.length;
    }
  }

  @Override
  public boolean isNamed(String file) {
    return file.endsWith(SafetensorsTable.SUFFIX);
  }

  @Override
  public ArrayFile read(Folder folder, String file) throws IOException {
    try (Input in = folder.open(file)) {
      HeaderFile header = HeaderFile.read(in);
      return contents.get(
          header.bytes(),
          header.bytes().length + header.dataBytes(),
          () -> of(SafetensorsHeader.of(header, strictness)));
    }
  }

  /**
   * Returns the tensors except those of packed types, whose elements do not begin at byte
   * boundaries.
   */
  static ArrayFile of(SafetensorsHeader header) {
    List<TensorInfo> tensors = header.tensors();
    Set<String> warnings = new LinkedHashSet<>();
    int[] indexes = new int[tensors.size()];
    int count = 0;
    for (int i = 0; i < indexes.length; i++) {
      TensorInfo tensor = tensors.get(i);
      if (tensor.dtype().bits() % Byte.SIZE == 0
          && tensor.shape().stream().allMatch(size -> size >= 0)) {
        indexes[count++] = i;
      } else {
        warnings.add("tensors of %s are not read".formatted(tensor.dtype()));
      }
    }
    Map<String, String> metadata = header.metadata();
    List<FileArray> arrays = new Tensors(header, Arrays.copyOf(indexes, count));
    return new ArrayFile(
        count <= SharedContents.MAX_ARRAYS ? List.copyOf(arrays) : arrays,
        metadata == null ? Map.of() : new TreeMap<>(metadata),
        List.of(),
        List.copyOf(warnings));
  }
}
