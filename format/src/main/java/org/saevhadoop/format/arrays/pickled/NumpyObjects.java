package org.saevhadoop.format.arrays.pickled;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.tensor.DType;

/**
 * Finds numpy arrays among unpickled objects. Their elements are read at their offsets in the
 * pickle.
 *
 * @param path the path of the file
 * @param offset the offset of the pickle in the file
 * @param types determines the types of elements
 */
record NumpyObjects(String path, long offset, PickledArrays.Types types) implements ArrayObjects {
  private static final String OLD =
      "an array in a pickle of protocol 2 or lower, whose bytes are encoded as text (expected"
          + " protocol 4, as pickle.dump(x, f, 4) writes, or numpy.save),";

  @Override
  public String noun() {
    return "array";
  }

  @Override
  public ErrorKind badStructure() {
    return NpyError.BAD_STRUCTURE;
  }

  @Override
  public ErrorKind limitExceeded() {
    return NpyError.LIMIT_EXCEEDED;
  }

  @Override
  public ErrorKind unsupported() {
    return NpyError.UNSUPPORTED;
  }

  @Override
  public @Nullable Found find(Object value) throws FormatException {
    if (!(value instanceof PythonValue.NumpyArray array)) {
      return null;
    }
    if (array.unread() != null) {
      return Found.unread("an array " + array.unread());
    }
    NumpyType type = array.type();
    DType dtype;
    try {
      dtype = types.of(path, type);
    } catch (FormatException e) {
      if (e.kind() != NpyError.UNSUPPORTED) {
        throw e;
      }
      return Found.unread("an array of dtype '%s'".formatted(type.descr()));
    }
    PayloadData data = array.data();
    boolean isInPlace = data.form() == PayloadData.Form.RAW && data.position() >= 0;
    if (!isInPlace && data.length() > 0) {
      return Found.unread(OLD);
    }
    int swapUnit = type.bigEndian() ? type.swapUnit() : 1;
    return new Found(dtype, layout(array), swapUnit, null, null);
  }

  private StridedLayout layout(PythonValue.NumpyArray array) {
    List<Long> shape = LongStream.of(array.shape()).boxed().toList();
    int width = array.type().itemSize();
    int[] axes = array.axes();
    int[] dimensionAt = new int[axes.length];
    for (int dimension = 0; dimension < axes.length; dimension++) {
      dimensionAt[axes[dimension]] = dimension;
    }
    List<Long> strides = new ArrayList<>(Collections.nCopies(axes.length, 0L));
    long stride = shape.contains(0L) ? 0 : width;
    for (int rank = axes.length - 1; rank >= 0; rank--) {
      strides.set(dimensionAt[rank], stride);
      stride *= shape.get(dimensionAt[rank]);
    }
    long begin = offset + Math.max(0, array.data().position());
    return new StridedLayout(begin, width, shape, strides);
  }
}
