package org.saevhadoop.format.numpy.file;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.tensor.DType;

/** Reads which arrays .npy, .npz and .memmap files contain. */
public final class NumpyReader implements ArrayReader {
  private static final String NPZ = ".npz";

  private final ElementTypes types;
  private final boolean inPlace;

  /**
   * Creates a reader of headers, also of compressed entries.
   *
   * @param storedAs the type of elements that are stored as integers of its size, or as bytes
   *     without a type; null if integers are integers, and bytes without a type an error
   */
  public NumpyReader(@Nullable DType storedAs) {
    this(new ElementTypes(storedAs), false);
  }

  private NumpyReader(ElementTypes types, boolean inPlace) {
    this.types = types;
    this.inPlace = inPlace;
  }

  /** Returns a reader that refuses arrays whose elements cannot be read in place. */
  public NumpyReader inPlace() {
    return new NumpyReader(types, true);
  }

  /** Returns whether a file is a ZIP archive, by its name. */
  public static boolean isArchive(String file) {
    return file.endsWith(NPZ);
  }

  @Override
  public boolean isNamed(String file) {
    return file.endsWith(NpyArray.SUFFIX) || isArchive(file) || file.endsWith(MemoryMap.SUFFIX);
  }

  /**
   * Reads the arrays of a file.
   *
   * @throws org.saevhadoop.format.io.FormatException with a kind of {@link
   *     org.saevhadoop.format.numpy.header.NpyError}, or of {@link
   *     org.saevhadoop.format.zip.ZipError} if a .npz file is malformed
   */
  @Override
  public ArrayFile read(Folder folder, String file) throws IOException {
    if (file.endsWith(MemoryMap.SUFFIX)) {
      return ArrayFile.of(List.of(MemoryMap.read(folder, file, types)));
    }
    if (isArchive(file)) {
      return ArrayArchive.read(folder.open(file), types, inPlace);
    }
    try (Input in = folder.open(file)) {
      NpyArray npy = NpyArray.read(in, ArrayFile.UNNAMED, 0, types);
      return new ArrayFile(List.of(npy.array()), Map.of(), List.of(), npy.warnings());
    }
  }

  @Override
  public Input elements(Folder folder, String path, String array) throws IOException {
    Input file = ArrayFiles.open(folder, path);
    return inPlace || !isArchive(path) ? file : ArrayArchive.elements(file, array);
  }
}
