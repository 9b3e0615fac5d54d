package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.safetensors.index.KeyedTensor;
import org.saevhadoop.format.safetensors.index.KeyedTensors;
import org.saevhadoop.format.safetensors.index.ModelIndex;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;
import org.saevhadoop.format.safetensors.index.TensorIndexError;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.NamedTensors;

/** Access to single tensors of files, models and datasets in the key-value layout. */
final class SafetensorsTensors implements NamedTensors {
  private static SafetensorsReading reading(Settings settings) {
    return new SafetensorsReading(settings, ProvenanceReader.NONE);
  }

  private static OpenTensor opened(KeyedTensor opened) {
    TensorInfo tensor = opened.tensor();
    return new OpenTensor(
        tensor.name(),
        opened.path(),
        tensor.dtype(),
        tensor.shape(),
        tensor.byteLength(),
        opened::read,
        opened);
  }

  @Override
  public OpenTensor named(Location location, Settings settings, String name) throws IOException {
    HeaderStrictness strictness = reading(settings).strictness();
    Optional<SafetensorsModel> model = SafetensorsModel.find(location);
    if (model.isPresent()) {
      ModelIndex index = model.get().index();
      String file = index.weightMap().get(name);
      if (file == null) {
        throw TensorIndexError.NO_SUCH_TENSOR.in(index.path(), "names no tensor \"%s\"", name);
      }
      return in(model.get().folder(), file, name, strictness);
    }
    TensorIndexError.NO_SUCH_TENSOR.check(
        location.isFile(),
        location.path(),
        "is a folder without *%s (expected a file or a model for --name; --key is for datasets)",
        ModelIndex.SUFFIX);
    String file = Objects.requireNonNull(location.file());
    return in(location.folder(), file, name, strictness);
  }

  private static OpenTensor in(Folder folder, String file, String name, HeaderStrictness strictness)
      throws IOException {
    return KeyedTensor.open(folder, file, name, strictness)
        .map(SafetensorsTensors::opened)
        .orElseThrow(
            () ->
                TensorIndexError.NO_SUCH_TENSOR.in(
                    folder.path(file), "has no tensor \"%s\"", name));
  }

  /**
   * Opens a tensor through the index. Without an index, or if the index lacks the key, the headers
   * of the files are searched in their order: an index may be stale or damaged, so it cannot prove
   * that a key does not exist.
   */
  @Override
  public OpenTensor keyed(
      Location location, Settings settings, String key, Consumer<String> warnings)
      throws IOException {
    if (hasIndex(location)) {
      return indexed(location, settings, key, warnings);
    }
    SafetensorsTable table = reading(settings).table(location);
    TensorIndexError.NO_SUCH_TENSOR.check(
        table.layout() == TensorLayout.KV,
        location.path(),
        "has the layout %s (expected kv for --key; --from-layout sets it)",
        table.layout());
    return searched(table, settings, key)
        .orElseThrow(
            () -> TensorIndexError.NO_SUCH_TENSOR.in(location.path(), "has no key \"%s\"", key));
  }

  private static OpenTensor indexed(
      Location location, Settings settings, String key, Consumer<String> warnings)
      throws IOException {
    try (TensorIndex index = TensorIndex.open(location.folder())) {
      Optional<TensorIndexEntry> entry = index.find(key);
      if (entry.isPresent()) {
        return opened(new KeyedTensors(location.folder(), index.path()).fetch(entry.get()));
      }
      OpenTensor found =
          searched(reading(settings).table(location), settings, key)
              .orElseThrow(
                  () -> TensorIndexError.NO_SUCH_TENSOR.in(index.path(), "has no key \"%s\"", key));
      warnings.accept(
          "%s lacks key \"%s\" of %s: it is stale or damaged (see verify --structure)"
              .formatted(index.path(), key, found.path()));
      return found;
    }
  }

  private static Optional<OpenTensor> searched(
      SafetensorsTable table, Settings settings, String key) throws IOException {
    HeaderStrictness strictness = reading(settings).strictness();
    for (Shard shard : table.shards()) {
      Optional<KeyedTensor> tensor =
          KeyedTensor.open(table.folder(), shard.name(), key, strictness);
      if (tensor.isPresent()) {
        return tensor.map(SafetensorsTensors::opened);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether the folder contains an index. The listing of the folder is already known, so a
   * lookup does not list the folder again.
   */
  private static boolean hasIndex(Location location) throws IOException {
    return !location.isFile()
        && (location.files().containsKey(TensorIndex.NAME)
            || location.folder().folder(TensorIndex.NAME).isPresent());
  }

  @Override
  public void forEachKey(Location location, Settings settings, Io.Consumer<String> visitor)
      throws IOException {
    try (TensorIndex index = TensorIndex.open(location.folder())) {
      index.forEach(entry -> visitor.accept(entry.key()));
    }
  }
}
