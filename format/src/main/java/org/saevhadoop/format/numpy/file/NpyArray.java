package org.saevhadoop.format.numpy.file;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.numpy.header.NpyHeader;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.tensor.DType;

/**
 * An array in a .npy file or in an entry of a .npz file.
 *
 * @param bytesAfter the number of bytes after the array, which numpy ignores
 */
record NpyArray(FileArray array, long bytesAfter) {
  /** Suffix of file names. */
  static final String SUFFIX = ".npy";

  /**
   * Reads the header of an array.
   *
   * @param npy the .npy file, which can be a part of another file
   * @param offset the offset of the .npy file in that file
   */
  static NpyArray read(Input npy, String name, long offset, ElementTypes types) throws IOException {
    return of(npy, NpyHeader.read(npy), name, offset, types);
  }

  /** Returns the array that follows a header that has already been read. */
  static NpyArray of(Input npy, NpyHeader header, String name, long offset, ElementTypes types)
      throws IOException {
    NumpyType type = header.type();
    String named = name.equals(ArrayFile.UNNAMED) ? npy.path() : name;
    DType dtype = types.of(named, header.shape().size(), type).of(npy.path(), type);
    long begin = offset + header.dataOffset();
    StridedLayout layout =
        header.fortranOrder()
            ? StridedLayout.fortran(begin, type.itemSize(), header.shape())
            : StridedLayout.cOrder(begin, type.itemSize(), header.shape());
    FileArray array = new FileArray(name, dtype, layout, swapUnit(type));
    return new NpyArray(array, npy.length() - header.dataOffset() - layout.length());
  }

  /** Returns warnings about content that is unusual but valid. */
  List<String> warnings() {
    return bytesAfter == 0
        ? List.of()
        : List.of(Quote.sentence("the %d bytes after the array are ignored", bytesAfter));
  }

  /** Returns the number of bytes that are reversed together; 1 for little-endian elements. */
  static int swapUnit(NumpyType type) {
    return type.bigEndian() ? type.swapUnit() : 1;
  }
}
