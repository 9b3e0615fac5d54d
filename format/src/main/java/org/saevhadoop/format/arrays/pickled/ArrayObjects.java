package org.saevhadoop.format.arrays.pickled;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.read.OpaqueObject;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.zip.ArchiveEntry;

/** Finds the arrays among unpickled objects of one program. */
public interface ArrayObjects {
  /**
   * An array.
   *
   * @param dtype the type of the elements; null if the array is not read
   * @param layout the positions of the elements in the file; null if the array is not read
   * @param swapUnit the number of bytes that are reversed together in big-endian elements
   * @param entry the entry of a ZIP archive that contains the elements; null if no entry contains
   *     them
   * @param unread a description of an array that is not read; null if it is read
   */
  record Found(
      @Nullable DType dtype,
      @Nullable StridedLayout layout,
      int swapUnit,
      @Nullable ArchiveEntry entry,
      @Nullable String unread) {
    /** Creates an array that is not read. */
    public static Found unread(String what) {
      return new Found(null, null, 1, null, what);
    }

    /** Returns the number of elements; 0 if the array is not read. */
    long elements() {
      return layout == null ? 0 : layout.length() / layout.width();
    }

    FileArray array(String name) {
      if (dtype == null || layout == null) {
        throw new IllegalStateException("an array that is not read");
      }
      return new FileArray(name, dtype, layout, swapUnit);
    }
  }

  /** Returns the program's term for an array. */
  String noun();

  /** Returns the kind of error for containers with an invalid structure. */
  ErrorKind badStructure();

  /** Returns the kind of error for sizes larger than in any real data. */
  ErrorKind limitExceeded();

  /** Returns the kind of error for files without any array that can be read. */
  ErrorKind unsupported();

  /** Returns the array that an object represents; null if it represents none. */
  @Nullable Found find(Object value) throws FormatException;

  /** Returns the plain value that an object represents, or else the object itself. */
  default Object plain(Object value) {
    return value;
  }

  /** Returns a description of an object that is not read. */
  default String kind(Object value) {
    if (value instanceof PythonValue.Text) {
      return "a string of more than 1024 bytes";
    }
    if (value instanceof PythonValue.Bytes || value instanceof PythonValue.ByteArray) {
      return "a byte string";
    }
    return value instanceof OpaqueObject object
        ? OtherObjects.name(object)
        : "an object that is neither %s %s nor a plain value"
            .formatted(noun().startsWith("a") ? "an" : "a", noun());
  }
}
