package org.saevhadoop.format.torch.file;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.tensor.DType;

/**
 * A tensor in a pickle.
 *
 * @param layout the positions of the elements in the file
 * @param unread a description of why the tensor is not read; null if it is read
 */
record TorchTensor(
    TorchStorage storage, TorchType type, StridedLayout layout, @Nullable String unread) {
  /** Maximum number of dimensions, to limit the memory of a tensor; activations have about four. */
  private static final int MAX_DIMENSIONS = 16;

  /**
   * Evaluates {@code torch._utils._rebuild_tensor} by the rules of {@code Tensor.set_}: offset,
   * sizes and strides are in elements, and all elements must be in the storage. A tensor without
   * elements may begin anywhere.
   *
   * @param args the storage, offset, size and stride, followed by arguments that are ignored
   * @param unread a description of why the tensor is not read; null if the type determines whether
   *     it is read
   */
  static TorchTensor of(String path, List<Object> args, TorchType type, @Nullable String unread)
      throws FormatException {
    if (!(args.get(0) instanceof TorchStorage storage) || !(args.get(1) instanceof Long offset)) {
      throw TorchError.BAD_TENSOR.in(path, "a tensor has no storage, or no offset in it");
    }
    List<Long> shape = numbers(path, args.get(2));
    List<Long> strides = numbers(path, args.get(3));
    check(offset >= 0, path, "a tensor begins at element %d of its storage", offset);
    check(
        shape.size() == strides.size(),
        path,
        "a tensor has %d dimensions, but %d strides",
        shape.size(),
        strides.size());
    check(
        bytes(type, shape) >= 0,
        path,
        "a tensor has the shape %s, which takes 2^63 bytes or more",
        shape);
    long end = end(type, offset, shape, strides);
    check(
        end >= 0 && end <= storage.length(),
        path,
        "a tensor of shape %s, strides %s and offset %d goes beyond storage \"%s\" (expected at"
            + " most its %d bytes)",
        shape,
        strides,
        offset,
        storage.entry().name(),
        storage.length());
    String reason = unread == null && type.dtype() == null ? "of " + type.name() : unread;
    return new TorchTensor(storage, type, layout(storage, type, offset, shape, strides), reason);
  }

  /** Returns the layout of a tensor that does not extend beyond its storage. */
  private static StridedLayout layout(
      TorchStorage storage, TorchType type, long offset, List<Long> shape, List<Long> strides) {
    boolean isEmpty = shape.contains(0L);
    List<Long> distances = new ArrayList<>(shape.size());
    for (int i = 0; i < shape.size(); i++) {
      distances.add(isEmpty || shape.get(i) == 1 ? 0 : strides.get(i) * type.width());
    }
    long begin = storage.entry().dataOffset() + (isEmpty ? 0 : offset * type.width());
    return new StridedLayout(begin, type.width(), shape, distances);
  }

  /** Returns the type of the elements; null if the tensor is not read. */
  @Nullable DType dtype() {
    return unread == null ? type.dtype() : null;
  }

  private static List<Long> numbers(String path, @Nullable Object tuple) throws FormatException {
    List<Object> items = tuple instanceof PythonValue.Tuple all ? all.items() : List.of();
    List<Long> numbers = new ArrayList<>();
    check(
        tuple instanceof PythonValue.Tuple,
        path,
        "the size or the strides of a tensor are not a tuple");
    TorchError.LIMIT_EXCEEDED.check(
        items.size() <= MAX_DIMENSIONS,
        path,
        "a tensor has %d dimensions (expected at most %d)",
        items.size(),
        MAX_DIMENSIONS);
    for (Object item : items) {
      check(
          item instanceof Long number && number >= 0,
          path,
          "a tensor has a size or stride of %s (expected a number from 0 to 2^63-1)",
          item instanceof Long ? item : "another type");
      numbers.add((Long) item);
    }
    return numbers;
  }

  /**
   * Returns the size in bytes of all elements, counting each dimension as at least one; negative if
   * it is 2^63 or more.
   */
  private static long bytes(TorchType type, List<Long> shape) {
    try {
      long bytes = type.width();
      for (long size : shape) {
        bytes = Math.multiplyExact(bytes, Math.max(1, size));
      }
      return bytes;
    } catch (ArithmeticException e) {
      return -1;
    }
  }

  /**
   * Returns the offset in the storage, in bytes, of the end of the tensor's last element; 0 if
   * there are no elements, and negative if it is 2^63 or more.
   */
  private static long end(TorchType type, long offset, List<Long> shape, List<Long> strides) {
    if (shape.contains(0L)) {
      return 0;
    }
    try {
      long last = offset;
      for (int i = 0; i < shape.size(); i++) {
        last = Math.addExact(last, Math.multiplyExact(shape.get(i) - 1, strides.get(i)));
      }
      return Math.multiplyExact(Math.addExact(last, 1), type.width());
    } catch (ArithmeticException e) {
      return -1;
    }
  }

  @FormatMethod
  private static void check(
      boolean holds, String path, @FormatString String template, @Nullable Object... args)
      throws FormatException {
    TorchError.BAD_TENSOR.check(holds, path, template, args);
  }
}
