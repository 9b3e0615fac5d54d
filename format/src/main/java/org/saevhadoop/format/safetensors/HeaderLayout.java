package org.saevhadoop.format.safetensors;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.saevhadoop.format.io.FormatException;

/** The tensors must tile the data: the reference's checks 6 to 8. */
final class HeaderLayout {
  private static final Comparator<Tensor> BY_PLACE =
      Comparator.comparing(Tensor::begin, Long::compareUnsigned)
          .thenComparing(Tensor::end, Long::compareUnsigned);

  private final HeaderFile file;

  HeaderLayout(HeaderFile file) {
    this.file = file;
  }

  /** The tensors in data order. Until the last check, offsets are unsigned. */
  List<Tensor> check(Collection<Tensor> unchecked) throws FormatException {
    List<Tensor> tensors = new ArrayList<>(unchecked);
    tensors.sort(BY_PLACE);
    Tensor previous = null;
    for (Tensor tensor : tensors) {
      checkPlace(tensor, previous);
      checkSize(tensor);
      previous = tensor;
    }
    long end = previous == null ? 0 : previous.end();
    if (end != file.dataBytes()) {
      throw file.error(
          SafetensorsError.MetadataIncompleteBuffer,
          "%d bytes follow the header (expected %s, the end of the last tensor)",
          file.dataBytes(),
          Long.toUnsignedString(end));
    }
    return List.copyOf(tensors);
  }

  private void checkPlace(Tensor tensor, Tensor previous) throws FormatException {
    long expected = previous == null ? 0 : previous.end();
    if (tensor.begin() != expected) {
      throw file.error(
          SafetensorsError.InvalidOffset,
          "tensor %s begins at %s (expected %s, where %s)",
          JsonText.show(tensor.name()),
          Long.toUnsignedString(tensor.begin()),
          Long.toUnsignedString(expected),
          previous == null ? "the data begins" : JsonText.show(previous.name()) + " ends");
    }
    if (Long.compareUnsigned(tensor.end(), tensor.begin()) < 0) {
      throw file.error(
          SafetensorsError.InvalidOffset,
          "tensor %s ends at %s (expected no less than %s, where it begins)",
          JsonText.show(tensor.name()),
          Long.toUnsignedString(tensor.end()),
          Long.toUnsignedString(tensor.begin()));
    }
  }

  private void checkSize(Tensor tensor) throws FormatException {
    long bits = bits(tensor);
    if (bits % Byte.SIZE != 0) {
      throw file.error(
          SafetensorsError.MisalignedSlice,
          "tensor %s is %s, %s bits (expected whole bytes)",
          JsonText.show(tensor.name()),
          TensorSize.show(tensor.dtype(), tensor.shape()),
          Long.toUnsignedString(bits));
    }
    long bytes = bits >>> 3;
    if (tensor.byteLength() != bytes) {
      throw file.error(
          SafetensorsError.TensorInvalidInfo,
          "tensor %s has %s bytes (expected %d for %s)",
          JsonText.show(tensor.name()),
          Long.toUnsignedString(tensor.byteLength()),
          bytes,
          TensorSize.show(tensor.dtype(), tensor.shape()));
    }
  }

  private long bits(Tensor tensor) throws FormatException {
    try {
      return TensorSize.bits(tensor.dtype(), tensor.shape());
    } catch (ArithmeticException e) {
      throw file.error(
          SafetensorsError.ValidationOverflow,
          "tensor %s is %s (expected less than 2^64 bits)",
          JsonText.show(tensor.name()),
          TensorSize.show(tensor.dtype(), tensor.shape()));
    }
  }
}
