package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.spi.TensorListing;

/**
 * The tensors of an open file. Each tensor is read from the header when it is visited.
 *
 * @param activations the shape if all tensors are activations; otherwise null
 * @param name the file name to include in the items; null to omit it
 * @param digests whether the tensors are read to compute their SHA-256
 */
record HeaderListing(
    Input file,
    SafetensorsHeader header,
    @Nullable Geometry activations,
    @Nullable String name,
    boolean digests)
    implements TensorListing {
  @Override
  public long count() {
    return header.tensors().size();
  }

  @Override
  public long bytes() throws IOException {
    return file.length();
  }

  @Override
  public void forEach(Io.Consumer<Item> visitor) throws IOException {
    for (TensorInfo tensor : header.tensors()) {
      visitor.accept(
          new Item(
              tensor.name(),
              null,
              tensor.dtype().numpyName(),
              tensor.dtype().name(),
              tensor.shape().stream().map(Item::size).toList(),
              null,
              tensor.end() - tensor.begin(),
              List.of(tensor.begin(), tensor.end()),
              name,
              digests ? sha256(tensor) : null,
              null));
    }
  }

  private String sha256(TensorInfo tensor) throws IOException {
    long start = header.dataStart() + tensor.begin();
    return Sha256.of(
        tensor.end() - tensor.begin(), (offset, dst) -> file.readFully(start + offset, dst));
  }

  @Override
  public @Nullable Map<String, String> metadata() {
    return header.metadata();
  }
}
