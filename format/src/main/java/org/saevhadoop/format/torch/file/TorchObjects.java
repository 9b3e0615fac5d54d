package org.saevhadoop.format.torch.file;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.pickled.ArrayObjects;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.pickle.value.PythonValue;

/**
 * Finds tensors among unpickled objects.
 *
 * @param bigEndian whether the elements are big-endian
 */
record TorchObjects(boolean bigEndian) implements ArrayObjects {
  @Override
  public String noun() {
    return "tensor";
  }

  @Override
  public ErrorKind badStructure() {
    return TorchError.BAD_STRUCTURE;
  }

  @Override
  public ErrorKind limitExceeded() {
    return TorchError.LIMIT_EXCEEDED;
  }

  @Override
  public ErrorKind unsupported() {
    return TorchError.UNSUPPORTED;
  }

  @Override
  public @Nullable Found find(Object value) {
    if (value instanceof PythonValue.NumpyArray) {
      return Found.unread(
          "an array of numpy, which is within the pickle (torch.from_numpy(x) is read),");
    }
    if (!(value instanceof TorchTensor tensor)) {
      return null;
    }
    return tensor.dtype() == null
        ? Found.unread("a tensor " + tensor.unread())
        : new Found(
            tensor.dtype(),
            tensor.layout(),
            bigEndian ? tensor.layout().width() : 1,
            tensor.storage().entry(),
            null);
  }

  @Override
  public Object plain(Object value) {
    return value instanceof TorchType type ? type.name() : value;
  }

  @Override
  public String kind(Object value) {
    return value instanceof TorchStorage
        ? "a storage without a tensor"
        : ArrayObjects.super.kind(value);
  }
}
