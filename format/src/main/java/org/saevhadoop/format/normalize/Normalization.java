package org.saevhadoop.format.normalize;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.tensor.DoubleChange;

/**
 * The normalization of all vectors of a dataset by the statistics of their layers.
 *
 * @param path the path of the statistics file, qualified with its file system
 * @param sha256 the SHA-256 of the file
 * @param figures the content of the file; null until it is read
 */
public record Normalization(NormalizeBy by, String sha256, String path, @Nullable Figures figures) {
  private static final String BY = "by";
  private static final String SHA256 = "sha256";
  private static final String BEFORE = "before";

  /** Returns a copy with the content of the file. */
  public Normalization with(Figures read) {
    return new Normalization(by, sha256, path, read);
  }

  /** Returns the text that {@link #parse} converts back, without the content of the file. */
  public String text() {
    return by + ":" + sha256 + ":" + path;
  }

  /**
   * Parses a text.
   *
   * @throws IllegalArgumentException if the text does not have the form of {@link #text}
   */
  public static Normalization parse(String text) {
    String[] parts = text.split(":", 3);
    if (parts.length < 3) {
      throw new IllegalArgumentException();
    }
    NormalizeBy by = NormalizeBy.named(parts[0]).orElseThrow(IllegalArgumentException::new);
    return new Normalization(by, parts[1], parts[2], null);
  }

  private Figures read() {
    return Objects.requireNonNull(figures, "the file of statistics is not read");
  }

  /**
   * Checks that the vectors of a dataset can be normalized.
   *
   * @throws FormatException if the file lacks a layer, or its statistics are unusable
   */
  public void check(ActivationDataset dataset) throws FormatException {
    Geometry geometry = dataset.geometry();
    NormalizeError.NOT_FLOATS.check(
        geometry.dtype().name().matches("B?F\\d.*"),
        dataset.path(),
        "its values are %s, which cannot be normalized (expected floats)",
        geometry.dtype());
    for (int layer : geometry.layers()) {
      LayerFigures found = read().of(layer, geometry.layers());
      NormalizeError.DIM_DIFFERS.check(
          found.dim() == geometry.dim(),
          read().path(),
          "the vectors of layer %d have %d dimensions (expected %d, as in %s)",
          layer,
          found.dim(),
          geometry.dim(),
          dataset.path());
      found.check(by, read().path(), layer);
    }
  }

  /** Returns the function that normalizes the vectors of a layer of a checked dataset. */
  public DoubleChange change(int layer, List<Integer> all) throws FormatException {
    return read().of(layer, all).change(by);
  }

  /**
   * Checks that a dataset was not normalized before.
   *
   * @param dataset the path of the dataset
   * @throws FormatException if its provenance records a normalization
   */
  public static void checkFirst(Provenance provenance, String dataset) throws FormatException {
    Optional<String> before = provenance.document(Provenance.NORMALIZATION);
    NormalizeError.APPLIED_BEFORE.check(
        before.isEmpty(),
        dataset,
        "was normalized before: %s (expected --again, which normalizes the normalized values)",
        Quote.show(before.orElse("")));
  }

  /** Returns the JSON object that records this normalization, and the previous one. */
  public String record(Provenance before) {
    ObjectNode json = Jackson.SETTINGS.createObjectNode().put(BY, by.toString());
    json.put(SHA256, sha256);
    before.document(Provenance.NORMALIZATION).ifPresent(text -> json.set(BEFORE, tree(text)));
    return json.toString();
  }

  /** Returns a record as JSON, and text in any other form as a JSON string. */
  private static JsonNode tree(String text) {
    try {
      return Jackson.SETTINGS.readTree(text);
    } catch (JsonProcessingException e) {
      return Jackson.SETTINGS.getNodeFactory().textNode(text);
    }
  }
}
