package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.spi.TensorListing;

/**
 * The tensors of a model, file by file.
 *
 * @param model the model, whose index and files must agree
 * @param digests whether the tensors are read to compute their SHA-256
 */
record ModelListing(
    SafetensorsModel model, HeaderStrictness strictness, boolean digests, List<String> warnings)
    implements TensorListing {
  @Override
  public long count() {
    return model.index().weightMap().size();
  }

  @Override
  public long bytes() throws IOException {
    Map<String, Long> lengths = model.folder().files();
    return model.index().files().stream().mapToLong(lengths::get).sum();
  }

  @Override
  public void forEach(Io.Consumer<Item> visitor) throws IOException {
    for (String name : model.index().files()) {
      try (Input file = model.folder().open(name)) {
        SafetensorsHeader header = SafetensorsHeader.read(file, strictness);
        new HeaderListing(file, header, null, name, digests).forEach(visitor);
      }
    }
  }

  @Override
  public Object metadata() {
    return Jackson.MAPPER.convertValue(model.index().metadata(), Object.class);
  }
}
