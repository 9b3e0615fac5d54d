package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;

/**
 * Reads the tensors of safetensors files whose layout is not one of the datasets here.
 *
 * @param maxTensors the number of tensors above which a file is read as if it contained none
 */
public record SafetensorsArrays(HeaderStrictness strictness, int maxTensors)
    implements ArrayReader {
  /** Creates a reader of files of any number of tensors. */
  public SafetensorsArrays(HeaderStrictness strictness) {
    this(strictness, Integer.MAX_VALUE);
  }

  @Override
  public boolean isNamed(String file) {
    return file.endsWith(SafetensorsTable.SUFFIX);
  }

  /** Tensors of packed types, whose elements do not begin at a byte, are left out. */
  @Override
  public ArrayFile read(Folder folder, String file) throws IOException {
    List<FileArray> arrays = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    Map<String, Object> values = new TreeMap<>();
    try (Input in = folder.open(file)) {
      SafetensorsHeader header = SafetensorsHeader.read(in, strictness);
      values.putAll(header.metadata() == null ? Map.of() : header.metadata());
      if (header.tensors().size() > maxTensors) {
        return ArrayFile.of(arrays);
      }
      for (TensorInfo tensor : header.tensors()) {
        int bits = tensor.dtype().bits();
        if (bits % Byte.SIZE != 0 || tensor.shape().stream().anyMatch(size -> size < 0)) {
          warnings.add("tensors of %s are not read".formatted(tensor.dtype()));
          continue;
        }
        StridedLayout layout =
            StridedLayout.cOrder(
                header.dataStart() + tensor.begin(), bits / Byte.SIZE, tensor.shape());
        arrays.add(new FileArray(tensor.name(), tensor.dtype(), layout));
      }
    }
    return new ArrayFile(arrays, values, List.of(), warnings);
  }
}
