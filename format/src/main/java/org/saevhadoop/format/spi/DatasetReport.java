package org.saevhadoop.format.spi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.LayerNames;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;

/** The properties of a dataset: named fields in the order in which they are shown. */
public final class DatasetReport {
  private final Map<String, Object> fields = new LinkedHashMap<>();

  /**
   * Adds a field, unless its value is null.
   *
   * @param value text, a number, a boolean, another report, or a list of such values
   * @throws IllegalArgumentException if the value has another type
   */
  public DatasetReport put(String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, plain(value));
    }
    return this;
  }

  private static Object plain(Object value) {
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      return value;
    }
    if (value instanceof DatasetReport report) {
      return report.fields();
    }
    if (value instanceof List<?> list) {
      return list.stream().map(DatasetReport::plain).toList();
    }
    throw new IllegalArgumentException("a report cannot contain a " + value.getClass());
  }

  /**
   * Adds the shape of activations.
   *
   * @param storedDtype the name of the type in the files; null if it is the same as in numpy
   */
  public DatasetReport shape(Geometry geometry, @Nullable String storedDtype) {
    return put("examples", geometry.examples())
        .put("layers", geometry.layers())
        .put("tokens", geometry.tokens())
        .put("dim", geometry.dim())
        .put("vectors", geometry.vectors())
        .put("dtype", geometry.dtype().numpyName())
        .put("stored_dtype", storedDtype);
  }

  /** Adds the names of the layers, if they are recorded. */
  public DatasetReport layerNames(ActivationDataset dataset) {
    return put("layer_names", LayerNames.recorded(dataset.activations()).orElse(null));
  }

  /** Adds the names of the dataset's per-token integers, if it has any. */
  public DatasetReport tokenArrays(ActivationDataset dataset) {
    List<String> names = dataset.tokenArrays().names();
    return put("token_arrays", names.isEmpty() ? null : names);
  }

  /** Adds the record of the normalization, if the vectors were normalized. */
  public DatasetReport normalization(Provenance provenance) {
    return put("normalization", provenance.document(Provenance.NORMALIZATION).orElse(null));
  }

  /**
   * Adds the total length of all data files, if no file is missing, and the size of their values.
   *
   * @param valueBytes the size of the values without padding, headers or compression
   */
  public DatasetReport sizes(List<Shard> shards, long valueBytes) {
    boolean complete = shards.stream().allMatch(shard -> shard.bytes() >= 0);
    return put("bytes", complete ? shards.stream().mapToLong(Shard::bytes).sum() : null)
        .put("bytes_of_values", valueBytes);
  }

  /** Adds the data files and the warnings for the user. */
  public DatasetReport shards(List<Shard> shards, List<String> warnings) {
    return put("shards", shards.stream().map(DatasetReport::entry).toList())
        .put("warnings", warnings);
  }

  private static DatasetReport entry(Shard shard) {
    return new DatasetReport()
        .put("file", shard.name())
        .put("examples", shard.examples())
        .put("bytes", shard.bytes() < 0 ? null : shard.bytes())
        .put("missing", shard.bytes() < 0 ? true : null);
  }

  /**
   * Returns the fields in their order. A value is a {@link String}, a {@link Number}, a {@link
   * Boolean}, a {@link List} of values, or, for a nested report, its fields.
   */
  public Map<String, Object> fields() {
    return Collections.unmodifiableMap(fields);
  }
}
