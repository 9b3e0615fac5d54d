package org.saevhadoop.format.safetensors.header;

import java.util.BitSet;
import org.saevhadoop.format.io.FormatException;

/** The tensors must tile the data: the reference's checks 6 to 8. Offsets are unsigned. */
final class HeaderLayout {
  private final HeaderFile file;
  private final TensorColumns tensors;

  HeaderLayout(HeaderFile file, TensorColumns tensors) {
    this.file = file;
    this.tensors = tensors;
  }

  /**
   * Drops of the tensors of one name all but the last, orders them by their places and checks
   * these.
   *
   * @return the names by the new order
   */
  NameIndex check(LenientFinding oddity) throws FormatException {
    NameIndex names = dropDuplicates(oddity);
    if (!tensors.isSorted()) {
      names = null; // room for the sort
      tensors.sort();
    }
    checkTiles();
    return names == null ? index() : names;
  }

  /** The names of all tensors; null where some were dropped. */
  private NameIndex dropDuplicates(LenientFinding oddity) {
    NameIndex names = new NameIndex(file.bytes(), tensors.positions());
    BitSet dropped = new BitSet();
    for (int i = 0; i < tensors.size(); i++) {
      int before = names.add(i);
      if (before >= 0) {
        dropped.set(before);
        noteDuplicate(i, oddity);
      }
    }
    if (dropped.isEmpty()) {
      return names;
    }
    tensors.drop(dropped);
    return null;
  }

  private void noteDuplicate(int i, LenientFinding oddity) {
    if (oddity.isEmptyAt(tensors.position(i))) {
      oddity.note(
          tensors.position(i), "tensor " + name(i) + " comes twice (expected each name once)");
    }
  }

  private NameIndex index() {
    NameIndex names = new NameIndex(file.bytes(), tensors.positions());
    for (int i = 0; i < tensors.size(); i++) {
      names.add(i);
    }
    return names;
  }

  private void checkTiles() throws FormatException {
    for (int i = 0; i < tensors.size(); i++) {
      checkPlace(i);
      if (!tensors.isSound(i)) {
        throw unsound(i);
      }
    }
    long end = tensors.size() == 0 ? 0 : tensors.end(tensors.size() - 1);
    if (end != file.dataBytes()) {
      throw file.error(
          SafetensorsError.MetadataIncompleteBuffer,
          "%d bytes follow the header (expected %s, the end of the last tensor)",
          file.dataBytes(),
          Long.toUnsignedString(end));
    }
  }

  private void checkPlace(int i) throws FormatException {
    long expected = i == 0 ? 0 : tensors.end(i - 1);
    if (tensors.begin(i) != expected) {
      throw file.error(
          SafetensorsError.InvalidOffset,
          "tensor %s begins at %s (expected %s, where %s)",
          name(i),
          Long.toUnsignedString(tensors.begin(i)),
          Long.toUnsignedString(expected),
          i == 0 ? "the data begins" : name(i - 1) + " ends");
    }
    if (Long.compareUnsigned(tensors.end(i), tensors.begin(i)) < 0) {
      throw file.error(
          SafetensorsError.InvalidOffset,
          "tensor %s ends at %s (expected no less than %s, where it begins)",
          name(i),
          Long.toUnsignedString(tensors.end(i)),
          Long.toUnsignedString(tensors.begin(i)));
    }
  }

  /** The error of a tensor whose shape and offsets do not agree. */
  private FormatException unsound(int i) {
    TensorEntry entry = TensorEntry.again(file, tensors.position(i), TensorSize.SHOWN + 1);
    String shape = TensorSize.show(entry.dtype(), entry.shape());
    if (entry.overflows()) {
      return file.error(
          SafetensorsError.ValidationOverflow,
          "tensor %s is %s (expected less than 2^64 bits)",
          name(i),
          shape);
    }
    if (entry.bits() % Byte.SIZE != 0) {
      return file.error(
          SafetensorsError.MisalignedSlice,
          "tensor %s is %s, %s bits (expected whole bytes)",
          name(i),
          shape,
          Long.toUnsignedString(entry.bits()));
    }
    return file.error(
        SafetensorsError.TensorInvalidInfo,
        "tensor %s has %s bytes (expected %d for %s)",
        name(i),
        Long.toUnsignedString(entry.end() - entry.begin()),
        entry.bits() >>> 3,
        shape);
  }

  private String name(int i) {
    return JsonText.show(JsonString.start(file.bytes(), tensors.position(i)));
  }
}
