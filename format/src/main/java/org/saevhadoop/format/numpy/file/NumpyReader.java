package org.saevhadoop.format.numpy.file;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.ArrayFile;
import org.saevhadoop.format.arrays.ArrayReader;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.tensor.DType;

/** Reads which arrays .npy, .npz and .memmap files contain. */
public final class NumpyReader implements ArrayReader {
  private static final String NPZ = ".npz";

  private final ElementTypes types;

  /**
   * Creates a reader.
   *
   * @param storedAs the type of elements that are stored as integers of its size, or as bytes
   *     without a type; null if integers are integers, and bytes without a type an error
   */
  public NumpyReader(@Nullable DType storedAs) {
    this.types = new ElementTypes(storedAs);
  }

  @Override
  public boolean isNamed(String file) {
    return file.endsWith(NpyArray.SUFFIX) || file.endsWith(NPZ) || file.endsWith(MemoryMap.SUFFIX);
  }

  /**
   * Reads the arrays of a file.
   *
   * @throws org.saevhadoop.format.io.FormatException with a kind of {@link
   *     org.saevhadoop.format.numpy.NpyError}, or of {@link org.saevhadoop.format.zip.ZipError} if
   *     a .npz file is malformed
   */
  @Override
  public ArrayFile read(Folder folder, String file) throws IOException {
    if (file.endsWith(MemoryMap.SUFFIX)) {
      return ArrayFile.of(List.of(MemoryMap.read(folder, file, types)));
    }
    if (file.endsWith(NPZ)) {
      return ArrayArchive.read(folder.open(file), types);
    }
    try (Input in = folder.open(file)) {
      NpyArray npy = NpyArray.read(in, ArrayFile.UNNAMED, 0, types);
      return new ArrayFile(List.of(npy.array()), Map.of(), List.of(), npy.warnings());
    }
  }
}
