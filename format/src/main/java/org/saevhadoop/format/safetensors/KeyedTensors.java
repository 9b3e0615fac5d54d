package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.Optional;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * Single tensors of a folder by their keys. Fetching one costs, after the lookup in the index, one
 * read of its file's header and one of its data.
 *
 * @param folder where the files lie that the index names
 * @param index belongs to the caller, who closes it
 */
public record KeyedTensors(Folder folder, TensorIndex index) {
  /**
   * The tensor of a key; the caller closes it.
   *
   * @throws FormatException where the index has the key more than once, or does not agree with the
   *     header of the file that it names: it is stale then
   */
  public Optional<KeyedTensor> fetch(String key) throws IOException {
    Optional<TensorIndexEntry> entry = index.find(key);
    return entry.isPresent() ? Optional.of(fetch(entry.get())) : Optional.empty();
  }

  /** The tensor of an entry of the index, else as {@link #fetch(String)}. */
  public KeyedTensor fetch(TensorIndexEntry entry) throws IOException {
    FormatException.check(
        plain(entry.file()),
        index.path(),
        "tensor \"%s\" is in \"%s\", which is no plain file name",
        entry.key(),
        entry.file());
    Input in = folder.open(entry.file());
    try {
      SafetensorsHeader header = header(in, entry);
      Tensor tensor = header.tensor(entry.key()).orElse(null);
      FormatException.check(
          tensor != null, in.path(), "has no tensor \"%s\" (%s)", entry.key(), expected(entry));
      FormatException.check(
          agree(tensor, entry),
          in.path(),
          "tensor \"%s\" is %s at bytes %d to %d of the data (%s)",
          entry.key(),
          TensorSize.show(tensor.dtype(), tensor.shape()),
          tensor.begin(),
          tensor.end(),
          expected(entry));
      return new KeyedTensor(in, header.dataStart(), tensor);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  // the one place to change once SafetensorsHeader itself takes an expected length
  private SafetensorsHeader header(Input in, TensorIndexEntry entry) throws IOException {
    if (!entry.placed()) {
      return SafetensorsHeader.read(in);
    }
    PrefetchedHeader start = PrefetchedHeader.read(in, entry.headerBytes());
    FormatException.check(
        start.headerBytes() == entry.headerBytes(),
        in.path(),
        "has a header of %s bytes (%s)",
        Long.toUnsignedString(start.headerBytes()),
        expected(entry));
    return SafetensorsHeader.read(start);
  }

  private static boolean agree(Tensor tensor, TensorIndexEntry entry) {
    return tensor.dtype() == entry.dtype()
        && tensor.shape().equals(entry.shape())
        && (!entry.placed() || tensor.begin() == entry.begin() && tensor.end() == entry.end());
  }

  private String expected(TensorIndexEntry entry) {
    String tensor = TensorSize.show(entry.dtype(), entry.shape());
    String place =
        entry.placed()
            ? " at bytes %d to %d behind a header of %d bytes"
                .formatted(entry.begin(), entry.end(), entry.headerBytes())
            : "";
    return "expected \"%s\" %s%s as %s says: the index is stale"
        .formatted(entry.key(), tensor, place, index.path());
  }

  /** Whether a document may name a file so: none outside its folder, none that is hidden. */
  static boolean plain(String file) {
    return !file.isEmpty()
        && !file.startsWith(".")
        && file.chars().noneMatch(c -> c == '/' || c == '\\' || c == ':' || c < ' ');
  }
}
