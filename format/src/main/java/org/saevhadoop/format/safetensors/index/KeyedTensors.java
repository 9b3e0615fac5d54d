package org.saevhadoop.format.safetensors.index;

import java.io.IOException;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.header.HeaderFile;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.safetensors.header.TensorSize;

/**
 * Random access to single tensors in a folder through the entries of an index. Fetching a tensor
 * takes one read of the header of its file and one read of its data. If the index has offsets, only
 * the header entry of that tensor is checked.
 *
 * @param folder the folder that contains the files named by the index
 * @param index the path of the index for error messages
 */
public record KeyedTensors(Folder folder, String index) {
  /**
   * Opens the tensor of an index entry. The caller must close the result.
   *
   * @throws FormatException if the index is stale, that is, differs from the header of the file
   */
  public KeyedTensor fetch(TensorIndexEntry entry) throws IOException {
    TensorIndexError.BAD_ENTRY.check(
        plain(entry.file()),
        index,
        "tensor \"%s\" is in \"%s\", which is not a plain file name",
        entry.key(),
        entry.file());
    Input in = folder.open(entry.file());
    try {
      return entry.placed() ? placed(in, entry) : searched(in, SafetensorsHeader.read(in), entry);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  private KeyedTensor placed(Input in, TensorIndexEntry entry) throws IOException {
    HeaderFile file = HeaderFile.read(in, entry.headerBytes());
    long found = file.bytes().length - HeaderFile.PREFIX;
    if (found != entry.headerBytes()) {
      throw stale(in, entry, "has a header of " + found + " bytes");
    }
    TensorInfo tensor = tensor(entry);
    // A byte search: parsing a header of one MiB would take longer than all other steps combined.
    if (sized(tensor) && tensor.end() <= file.dataBytes() && file.shows(tensor)) {
      return new KeyedTensor(in, file.bytes().length, tensor);
    }
    return searched(in, SafetensorsHeader.of(file, HeaderStrictness.STRICT), entry);
  }

  private KeyedTensor searched(Input in, SafetensorsHeader header, TensorIndexEntry entry)
      throws FormatException {
    TensorInfo tensor = header.tensor(entry.key()).orElse(null);
    if (tensor == null) {
      throw stale(in, entry, "has no tensor \"" + entry.key() + "\"");
    }
    if (!agree(tensor, entry)) {
      throw stale(in, entry, "has \"" + entry.key() + "\" as " + show(tensor));
    }
    return new KeyedTensor(in, header.dataStart(), tensor);
  }

  private static boolean sized(TensorInfo tensor) {
    try {
      long bits = TensorSize.bits(tensor.dtype(), tensor.shape());
      return bits % Byte.SIZE == 0 && bits >>> 3 == tensor.byteLength();
    } catch (ArithmeticException e) {
      return false;
    }
  }

  private static boolean agree(TensorInfo tensor, TensorIndexEntry entry) {
    return tensor.dtype() == entry.dtype()
        && tensor.shape().equals(entry.shape())
        && (!entry.placed() || tensor.begin() == entry.begin() && tensor.end() == entry.end());
  }

  private FormatException stale(Input in, TensorIndexEntry entry, String found) {
    String expected =
        entry.placed()
            ? show(tensor(entry)) + " after a header of " + entry.headerBytes() + " bytes"
            : TensorSize.show(entry.dtype(), entry.shape());
    return TensorIndexError.STALE_INDEX.in(
        in.path(),
        "%s (expected \"%s\" as %s, as in %s: the index is stale)",
        found,
        entry.key(),
        expected,
        index);
  }

  private static String show(TensorInfo tensor) {
    return "%s at bytes %d to %d of the data"
        .formatted(TensorSize.show(tensor.dtype(), tensor.shape()), tensor.begin(), tensor.end());
  }

  private static TensorInfo tensor(TensorIndexEntry entry) {
    return new TensorInfo(entry.key(), entry.dtype(), entry.shape(), entry.begin(), entry.end());
  }

  /**
   * Returns whether a document may contain this file name, which must be a plain name without a
   * folder and must not be that of a hidden file.
   */
  static boolean plain(String file) {
    for (int i = 0; i < file.length(); i++) {
      char c = file.charAt(i);
      if (c == '/' || c == '\\' || c == ':' || c < ' ') {
        return false;
      }
    }
    return !file.isEmpty() && !file.startsWith(".");
  }
}
