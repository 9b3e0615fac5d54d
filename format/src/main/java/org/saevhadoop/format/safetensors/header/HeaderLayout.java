package org.saevhadoop.format.safetensors.header;

import java.util.BitSet;
import org.saevhadoop.format.io.FormatException;

/** Checks that the tensors tile the data: checks 6 to 8 of the reference. Offsets are unsigned. */
record HeaderLayout(HeaderFile file, TensorColumns tensors) {
  /**
   * Drops all but the last tensor of each name, sorts the tensors by offset and checks the offsets.
   */
  void check(LenientFinding finding) throws FormatException {
    if (!namesAscend()) {
      dropDuplicates(finding);
    }
    if (!tensors.isSorted()) {
      tensors.sort();
    }
    checkTiles();
  }

  /** Returns whether the names are in ascending order, as writers store them, and thus distinct. */
  private boolean namesAscend() {
    for (int i = 1; i < tensors.size(); i++) {
      if (!JsonString.ascend(file.bytes(), tensors.position(i - 1), tensors.position(i))) {
        return false;
      }
    }
    return true;
  }

  private void dropDuplicates(LenientFinding finding) {
    NameIndex names = new NameIndex(file.bytes(), tensors.positions());
    BitSet dropped = new BitSet();
    for (int i = 0; i < tensors.size(); i++) {
      int before = names.add(i);
      if (before >= 0) {
        dropped.set(before);
        noteDuplicate(i, finding);
      }
    }
    if (!dropped.isEmpty()) {
      tensors.drop(dropped);
    }
  }

  private void noteDuplicate(int i, LenientFinding finding) {
    if (finding.isEmptyAt(tensors.position(i))) {
      finding.note(
          tensors.position(i), "tensor " + name(i) + " occurs twice (expected each name once)");
    }
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

  /** Returns the error for a tensor whose shape and offsets do not agree. */
  private FormatException unsound(int i) {
    TensorEntry entry = TensorEntry.again(file, tensors.position(i), TensorSize.SHOWN + 1, null);
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
    long length = entry.end() - entry.begin();
    return file.error(
        SafetensorsError.TensorInvalidInfo,
        "tensor %s has %s (expected %d for %s)",
        name(i),
        length == 1 ? "1 byte" : Long.toUnsignedString(length) + " bytes",
        entry.bits() >>> 3,
        shape);
  }

  private String name(int i) {
    return JsonText.show(JsonString.start(file.bytes(), tensors.position(i)));
  }
}
