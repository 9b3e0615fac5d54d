package org.saevhadoop.format.numpy.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.pickled.PickledArrays;
import org.saevhadoop.format.gather.SectionInput;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NpyHeader;
import org.saevhadoop.format.numpy.header.NumpyType;

/**
 * The arrays of a .npy file: one, or several in succession, which repeated calls of {@code
 * numpy.save} write to an open file. Several arrays are named by their indexes, like the items of a
 * list.
 */
final class NpyFile {
  /**
   * A limit far above the number of arrays that a program writes to one file; each array takes
   * about 300 bytes of memory.
   */
  static final int MAX_ARRAYS = 1 << 16;

  private final Input file;
  private final ElementTypes types;
  private final List<FileArray> arrays = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private long position;
  private int count;

  private NpyFile(Input file, ElementTypes types) {
    this.file = file;
    this.types = types;
  }

  /** Reads the headers of a file that begins with a header. */
  static ArrayFile read(Input file, ElementTypes types) throws IOException {
    NpyHeader first = NpyHeader.readAny(file);
    if (first.type() == NumpyType.OBJECTS) {
      return PickledArrays.read(file, first.dataOffset(), types::of);
    }
    long end = first.dataOffset() + first.length();
    if (!NpyHeader.isAt(file, end)) {
      NpyArray only = NpyArray.of(file, first, ArrayFile.UNNAMED, 0, types);
      return new ArrayFile(List.of(only.array()), Map.of(), List.of(), only.warnings());
    }
    return new NpyFile(file, types).readAll();
  }

  private ArrayFile readAll() throws IOException {
    FormatException refused = null;
    while (NpyHeader.isAt(file, position)) {
      NpyError.LIMIT_EXCEEDED.check(
          count < MAX_ARRAYS,
          file.path(),
          "has more than %d arrays one after another (expected fewer: save them all as one array)",
          MAX_ARRAYS);
      String name = ArrayFile.UNNAMED + "." + count++;
      Input rest =
          new SectionInput(file, file.path() + "/" + name, position, file.length() - position);
      NpyHeader header = NpyHeader.read(rest);
      try {
        arrays.add(NpyArray.of(rest, header, name, position, types).array());
      } catch (FormatException e) {
        if (e.kind() != NpyError.UNSUPPORTED) {
          throw e;
        }
        refused = refused == null ? e : refused;
        leaveOut(name, e);
      }
      position += header.dataOffset() + header.length();
    }
    if (arrays.isEmpty() && refused != null) {
      throw refused;
    }
    if (position < file.length()) {
      warnings.add(
          Quote.sentence("the %d bytes after the arrays are ignored", file.length() - position));
    }
    return new ArrayFile(arrays, Map.of(), List.of(), warnings);
  }

  private void leaveOut(String name, FormatException problem) {
    if (warnings.isEmpty()) {
      warnings.add(
          "array \"%s\" %s and is left out, as are others like it"
              .formatted(name, problem.problem()));
    }
  }
}
