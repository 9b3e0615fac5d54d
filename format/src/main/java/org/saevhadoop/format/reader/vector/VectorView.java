package org.saevhadoop.format.reader.vector;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;

/**
 * Selected vectors of a dataset as one list, ordered by example, then by layer in the order of the
 * geometry, then by token. A view covers one of the six combinations of tokens and layers in the
 * SAEV protocol, and its vectors are in the order that the protocol defines.
 */
@PublicApi
public final class VectorView {
  /** Patch index of [CLS], which is not a patch. */
  public static final int NO_PATCH = -1;

  /**
   * Coordinates of a vector.
   *
   * @param example the number of the vector's example
   * @param layerIndex the index of the vector's layer in the geometry
   * @param token the token index in the file, where [CLS] has index 0
   * @param patch the token index counted without [CLS], or {@link #NO_PATCH} for [CLS]
   */
  public record Position(long example, int layerIndex, int token, int patch) {}

  /** Visits the tokens {@code [token, token + count)} of a block. */
  @FunctionalInterface
  interface RunVisitor {
    void visit(long example, int layerIndex, int token, int count) throws IOException;
  }

  private final Geometry geometry;
  private final int clsTokens;
  private final int firstToken;
  private final int tokens;
  private final int firstLayer;
  private final int layers;

  private VectorView(
      Geometry geometry, int clsTokens, int firstToken, int tokens, int firstLayer, int layers) {
    this.geometry = geometry;
    this.clsTokens = clsTokens;
    this.firstToken = firstToken;
    this.tokens = tokens;
    this.firstLayer = firstLayer;
    this.layers = layers;
  }

  /** Returns a view of a dataset; see {@link #of(String, Geometry, int, TokenChoice, Integer)}. */
  public static VectorView of(
      ActivationDataset dataset, int clsTokens, TokenChoice tokens, @Nullable Integer layer)
      throws FormatException {
    return of(dataset.path(), dataset.geometry(), clsTokens, tokens, layer);
  }

  /**
   * Returns a view of a dataset of a given shape.
   *
   * @param path the path of the dataset, for error messages
   * @param clsTokens 1 if token 0 is [CLS], otherwise 0
   * @param layer the layer number, as in the model; null for all layers
   * @throws FormatException if the layer was not recorded or no such token was stored
   */
  public static VectorView of(
      String path, Geometry geometry, int clsTokens, TokenChoice tokens, @Nullable Integer layer)
      throws FormatException {
    if (clsTokens < 0 || clsTokens > 1) {
      throw new IllegalArgumentException("an example has one [CLS] token or none: " + clsTokens);
    }
    IndexRange chosen = tokens.of(geometry.tokens(), clsTokens, path);
    return new VectorView(
        geometry,
        clsTokens,
        (int) chosen.start(),
        (int) chosen.length(),
        layer == null ? 0 : geometry.requireLayer(layer, path),
        layer == null ? geometry.layers().size() : 1);
  }

  /** Returns the shape of the dataset. */
  public Geometry geometry() {
    return geometry;
  }

  /**
   * Returns the index of the first token of each block in this view; if there is a [CLS] token, its
   * index is 0.
   */
  public int firstToken() {
    return firstToken;
  }

  /** Returns the number of tokens of each block in this view. */
  public int tokens() {
    return tokens;
  }

  /** Returns the number of vectors. */
  public long length() {
    return geometry.examples() * perExample();
  }

  /**
   * Returns the coordinates of the vector at an index.
   *
   * @throws IndexOutOfBoundsException if there is no such vector
   */
  public Position position(long index) {
    Objects.checkIndex(index, length());
    long inExample = index % perExample();
    int token = token(inExample);
    return new Position(index / perExample(), layerIndex(inExample), token, patch(token));
  }

  /**
   * Returns the index in this view of the vector at the given coordinates.
   *
   * @param token the token index in the file, where [CLS] has index 0
   * @throws IndexOutOfBoundsException if the vector is not in this view
   */
  public long index(long example, int layerIndex, int token) {
    Objects.checkIndex(example, geometry.examples());
    int layerPlace = Objects.checkIndex(layerIndex - firstLayer, layers);
    int tokenPlace = Objects.checkIndex(token - firstToken, tokens);
    return example * perExample() + (long) layerPlace * tokens + tokenPlace;
  }

  /** Returns the number of vectors per example. */
  long perExample() {
    return (long) layers * tokens;
  }

  /**
   * Returns the number of patches per example: its tokens without [CLS], whether or not they are in
   * this view.
   */
  int patchesPerExample() {
    return geometry.tokens() - clsTokens;
  }

  /** Returns whether any vector of this view is a patch. */
  boolean hasPatches() {
    return firstToken + tokens > clsTokens;
  }

  /** Returns the patch index of a token in the file. */
  int patch(int token) {
    return token < clsTokens ? NO_PATCH : token - clsTokens;
  }

  /**
   * Checks that the dataset stores float32, the only type that the readers of vectors support.
   *
   * @throws IllegalArgumentException if the dataset stores values of another dtype
   */
  void requireFloats(ActivationDataset dataset) {
    if (geometry.dtype() != DType.F32) {
      throw new IllegalArgumentException(
          "%s: its numbers are %s (expected F32: convert it with --dtype F32)"
              .formatted(dataset.path(), geometry.dtype()));
    }
  }

  /**
   * Visits the vectors {@code [from, to)} in order; consecutive vectors of a block are visited
   * together.
   */
  void forEachRun(long from, long to, RunVisitor visitor) throws IOException {
    long example = from / perExample();
    long inExample = from % perExample();
    for (long index = from; index < to; ) {
      int token = token(inExample);
      int run = (int) Math.min(firstToken + tokens - token, to - index);
      visitor.visit(example, layerIndex(inExample), token, run);
      index += run;
      inExample += run;
      if (inExample == perExample()) {
        inExample = 0;
        example++;
      }
    }
  }

  private int token(long inExample) {
    return firstToken + (int) (inExample % tokens);
  }

  private int layerIndex(long inExample) {
    return firstLayer + (int) (inExample / tokens);
  }
}
