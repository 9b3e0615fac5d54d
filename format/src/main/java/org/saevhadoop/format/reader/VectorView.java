package org.saevhadoop.format.reader;

import java.io.IOException;
import java.util.Objects;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;

/**
 * Which vectors of a dataset are asked for, as one list: by example, then by layer in the order of
 * the geometry, then by token. The six combinations of tokens and layers are those that the SAEV
 * protocol lists, in its order.
 */
public final class VectorView {
  /** The patch of [CLS], which belongs to none. */
  public static final int NO_PATCH = -1;

  /**
   * What the vector at an index is.
   *
   * @param layerIndex the index of its layer in the geometry
   * @param token its token in the file, where [CLS] is 0
   * @param patch its token counted without [CLS]; {@link #NO_PATCH} for [CLS] itself
   */
  public record Position(long example, int layerIndex, int token, int patch) {}

  /** Takes the tokens {@code [token, token + count)} of a block. */
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

  /** As {@link #of(String, Geometry, int, Tokens, Integer)}, of a dataset. */
  public static VectorView of(
      ActivationDataset dataset, int clsTokens, TokenChoice tokens, Integer layer)
      throws FormatException {
    return of(dataset.folder().path(), dataset.geometry(), clsTokens, tokens, layer);
  }

  /**
   * A view of a dataset of some shape.
   *
   * @param path how errors name the dataset
   * @param clsTokens 1 where token 0 is [CLS], else 0
   * @param layer the layer as the model counts it; null for all
   * @throws FormatException where the layer was not recorded, or no such token was stored
   */
  public static VectorView of(
      String path, Geometry geometry, int clsTokens, TokenChoice tokens, Integer layer)
      throws FormatException {
    if (clsTokens < 0 || clsTokens > 1) {
      throw new IllegalArgumentException("an example has one [CLS] token or none: " + clsTokens);
    }
    DatasetError.NO_SUCH_TOKEN.check(
        tokens != TokenChoice.CLS || clsTokens == 1,
        path,
        "no [CLS] token was stored (expected tokens image or all)");
    DatasetError.NO_SUCH_TOKEN.check(
        tokens != TokenChoice.IMAGE || geometry.tokens() > clsTokens,
        path,
        "only [CLS] was stored (expected tokens cls or all)");
    int layerIndex = layer == null ? 0 : geometry.layerIndex(layer);
    DatasetError.NO_SUCH_LAYER.check(
        layerIndex >= 0,
        path,
        "layer %d was not recorded (expected one of %s)",
        layer,
        geometry.layers());
    int first = tokens == TokenChoice.IMAGE ? clsTokens : 0;
    return new VectorView(
        geometry,
        clsTokens,
        first,
        tokens == TokenChoice.CLS ? 1 : geometry.tokens() - first,
        layerIndex,
        layer == null ? geometry.layers().size() : 1);
  }

  /** The shape of the dataset. */
  public Geometry geometry() {
    return geometry;
  }

  /** The first token of each block that it has; 0 is [CLS] where there is one. */
  public int firstToken() {
    return firstToken;
  }

  /** How many tokens of each block it has, from the first on. */
  public int tokens() {
    return tokens;
  }

  /** How many vectors there are. */
  public long length() {
    return geometry.examples() * perExample();
  }

  /**
   * What the vector at an index is.
   *
   * @throws IndexOutOfBoundsException where there is none
   */
  public Position position(long index) {
    Objects.checkIndex(index, length());
    long inExample = index % perExample();
    int token = token(inExample);
    return new Position(index / perExample(), layerIndex(inExample), token, patch(token));
  }

  /**
   * Where the vector at a coordinate stands in this view.
   *
   * @param token the token in the file, where [CLS] is 0
   * @throws IndexOutOfBoundsException where this view does not have it
   */
  public long index(long example, int layerIndex, int token) {
    Objects.checkIndex(example, geometry.examples());
    int layerPlace = Objects.checkIndex(layerIndex - firstLayer, layers);
    int tokenPlace = Objects.checkIndex(token - firstToken, tokens);
    return example * perExample() + (long) layerPlace * tokens + tokenPlace;
  }

  /** Vectors of one example. */
  long perExample() {
    return (long) layers * tokens;
  }

  /** Patches of one example: its tokens without [CLS], whether or not this view has them. */
  int patchesPerExample() {
    return geometry.tokens() - clsTokens;
  }

  /** Whether any vector of this view has a patch. */
  boolean hasPatches() {
    return firstToken + tokens > clsTokens;
  }

  /** The patch of a token in the file. */
  int patch(int token) {
    return token < clsTokens ? NO_PATCH : token - clsTokens;
  }

  /**
   * Training reads floats, as they are stored.
   *
   * @throws IllegalArgumentException where other numbers are stored
   */
  void requireFloats(ActivationDataset dataset) {
    if (geometry.dtype() != DType.F32) {
      throw new IllegalArgumentException(
          "%s: its numbers are %s (expected F32: convert it with --dtype F32)"
              .formatted(dataset.folder().path(), geometry.dtype()));
    }
  }

  /** Visits the vectors {@code [from, to)} in their order, those of a block at once. */
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
