package org.saevhadoop.format.numpy.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileHead;
import org.saevhadoop.format.arrays.pickled.PickledArrays;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NpyHeader;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.zip.EntryNames;

/**
 * Finds the arrays in .npy, .npz and .memmap files, in pickles, and in files that contain only
 * values.
 */
public final class NumpyReader implements ArrayReader {
  /** The entry names in .npz files. */
  public static final EntryNames ENTRIES = new EntryNames(1024, true);

  private static final Pattern PICKLE = Pattern.compile(".*\\.(pkl|pickle)(\\.gz)?");
  private static final int START_BYTES = 8;

  /** The length to which numpy pads the headers of arrays with short shapes. */
  private static final int HEAD_BYTES = 128;

  private static final String NPZ = ".npz";

  /** Endings of files without a header, which {@code numpy.memmap} and {@code tofile} write. */
  private static final Set<String> RAW_ENDINGS =
      Set.of("npy", "memmap", "mmap", "bin", "dat", "raw");

  private final ElementTypes types;
  private final boolean inPlace;

  /** The array in each file, if files have no header; otherwise null. */
  private final @Nullable RawArray raw;

  /**
   * Creates a reader of headers, including those of compressed entries.
   *
   * @param storedAs the type of elements that are stored as integers of its size, or as bytes
   *     without a type; null to read integers as integers and refuse bytes without a type
   */
  public NumpyReader(@Nullable DType storedAs) {
    this(new ElementTypes(storedAs), false, null);
  }

  private NumpyReader(ElementTypes types, boolean inPlace, @Nullable RawArray raw) {
    this.types = types;
    this.inPlace = inPlace;
    this.raw = raw;
  }

  /** Returns a reader of files without a header, each of which holds one such array. */
  public NumpyReader raw(@Nullable RawArray array) {
    return new NumpyReader(types, inPlace, array);
  }

  /** Returns a reader that refuses arrays whose elements cannot be read in place. */
  public NumpyReader inPlace() {
    return new NumpyReader(types, true, raw);
  }

  /** Returns whether a file can lack a header, judging by its name. */
  public static boolean isRaw(String file) {
    return RAW_ENDINGS.contains(file.substring(file.lastIndexOf('.') + 1))
        && file.indexOf('.') >= 0;
  }

  /** Returns whether a file has the name of a pickle. */
  public static boolean isPickle(String file) {
    return file.contains(".p") && PICKLE.matcher(file).matches();
  }

  /** Returns whether an entry of an archive has the name of an array. */
  public static boolean isArrayEntry(String name) {
    return name.endsWith(NpyArray.SUFFIX);
  }

  /** Returns whether a file has the name of a ZIP archive. */
  public static boolean isArchive(String file) {
    return file.endsWith(NPZ);
  }

  @Override
  public boolean isNamed(String file) {
    return raw != null
        ? isRaw(file)
        : file.endsWith(NpyArray.SUFFIX) || isArchive(file) || file.endsWith(MemoryMap.SUFFIX);
  }

  /** Returns numpy files, or pickles if there are none: pickles can serve any purpose. */
  @Override
  public List<String> named(Collection<String> files) {
    List<String> named = ArrayReader.super.named(files);
    return named.isEmpty() && raw == null
        ? files.stream().filter(NumpyReader::isPickle).toList()
        : named;
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
    if (raw != null) {
      return readRaw(folder, file, raw);
    }
    if (file.endsWith(MemoryMap.SUFFIX)) {
      return ArrayFile.of(List.of(MemoryMap.read(folder, file, types)));
    }
    if (isArchive(file)) {
      return ArrayArchive.read(folder.open(file), types, inPlace);
    }
    try (Input in = new FileHead(folder.open(file), HEAD_BYTES)) {
      if (NpyHeader.isAt(in, 0)) {
        return NpyFile.read(in, types);
      }
      if (isPickle(file) || beginsAsPickle(in)) {
        return PickledArrays.read(in, 0, types::of);
      }
      throw NpyError.NOT_NPY.in(
          in.path(),
          "is not a .npy file, at byte 0 (expected \\x93NUMPY, or --raw DTYPE,N,M if its %d bytes"
              + " are values without a header)",
          in.length());
    }
  }

  private static boolean beginsAsPickle(Input in) throws IOException {
    ByteBuffer start = ByteBuffer.allocate((int) Math.min(START_BYTES, in.length()));
    in.readFully(0, start);
    return PickledArrays.isPickle(start.flip());
  }

  /** Reads values without a header, unless the file has one, which takes precedence. */
  private ArrayFile readRaw(Folder folder, String file, RawArray array) throws IOException {
    try (Input in = folder.open(file)) {
      if (!NpyHeader.isAt(in, 0)) {
        return ArrayFile.of(List.of(array.in(in, types)));
      }
      ArrayFile found = NpyFile.read(in, types);
      List<String> warnings = new ArrayList<>(found.warnings());
      warnings.add("has a numpy header, which overrides --raw");
      return new ArrayFile(found.arrays(), found.values(), found.entries(), warnings);
    }
  }

  @Override
  public Input elements(Folder folder, String path, String array) throws IOException {
    Input file = ArrayFiles.open(folder, path);
    return inPlace || raw != null || !isArchive(path) ? file : ArrayArchive.elements(file, array);
  }
}
