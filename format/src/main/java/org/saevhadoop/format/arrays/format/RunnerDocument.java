package org.saevhadoop.format.arrays.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ModelName;

/**
 * The document in which SAELens 6 describes cached activations ({@code
 * CacheActivationsRunnerConfig}, sae_lens/config.py). The document is in the folder that contains
 * the files, or in its parent folder.
 *
 * @param model the name of the model; null if it is not stated
 * @param tokens the number of tokens per example; 0 if it is not stated
 * @param dim the number of values per vector; 0 if it is not stated
 */
public record RunnerDocument(@Nullable String model, long tokens, long dim) {
  private static final String NAME = "cache_activations_runner_cfg.json";
  private static final JsonLimits LIMITS = new JsonLimits(1 << 20, 1 << 16, 1 << 16, 100);

  /** Reads the document of a dataset. */
  public static Optional<RunnerDocument> of(Location location) throws IOException {
    Folder folder = location.folder();
    if (location.listing().files().containsKey(NAME)) {
      return Optional.of(read(folder));
    }
    Optional<Folder> parent = folder.parent();
    try {
      return parent.isPresent() ? Optional.of(read(parent.get())) : Optional.empty();
    } catch (FormatException e) {
      if (e.kind() == FileError.NOT_FOUND || e.kind() == FileError.ACCESS_DENIED) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static RunnerDocument read(Folder folder) throws IOException {
    String path = folder.path(NAME);
    Object json = PythonJson.parse(path, LIMITS.read(folder, NAME));
    if (!(json instanceof Map<?, ?> config)) {
      throw ArrayError.BAD_DOCUMENT.in(
          path, "is not an object (expected the document that SAELens writes)");
    }
    return new RunnerDocument(
        config.get("model_name") instanceof String name && !name.isBlank() ? name : null,
        number(config.get("context_size")),
        number(config.get("d_in")));
  }

  private static long number(@Nullable Object value) {
    return value instanceof JsonNumber n && n.text().matches("[1-9][0-9]{0,9}")
        ? Long.parseLong(n.text())
        : 0;
  }

  /** Returns the model that the document names; {@code assumed} if it names none. */
  public static ModelName model(Location location, ModelName assumed) throws IOException {
    return of(location).map(RunnerDocument::model).map(ModelName::ofCheckpoint).orElse(assumed);
  }

  /**
   * Returns a dataset with warnings if it contradicts its document, unless options determine how
   * arrays are read or the client has already compared the dataset with its document.
   */
  public static ArrayDataset compare(Location location, ArrayDataset dataset, Settings settings)
      throws IOException {
    if (ArrayKeys.isLayout(settings) || settings.isSet(ArrayKeys.TENSORS)) {
      return dataset;
    }
    Optional<RunnerDocument> document = of(location);
    return document.isPresent()
        ? dataset.with(document.get().contradictions(dataset.geometry()))
        : dataset;
  }

  private List<String> contradictions(Geometry geometry) {
    List<String> lines = new ArrayList<>();
    if (tokens > 0 && tokens != geometry.tokens()) {
      lines.add(
          Quote.sentence(
                  "%s states that examples have %d tokens, but they are read with %d (expected",
                  NAME, tokens, geometry.tokens())
              + " --tensor or --tokens-per-example, which decide)");
    }
    if (dim > 0 && dim != geometry.dim()) {
      lines.add(
          Quote.sentence(
              "%s states that vectors have %d values, but they have %d",
              NAME, dim, geometry.dim()));
    }
    return lines;
  }
}
