package org.saevhadoop.format.pickleshards.write;

import static org.saevhadoop.format.pickleshards.shard.SampleText.ACTIVATION;
import static org.saevhadoop.format.pickleshards.shard.SampleText.DTYPE;
import static org.saevhadoop.format.pickleshards.shard.SampleText.LAYERS;
import static org.saevhadoop.format.pickleshards.shard.SampleText.SHAPE;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PyJson;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.shard.LayerKey;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.TokenRange;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.format.tokens.TokenSampleMetadata;

/**
 * A sample restored from its metadata.
 *
 * @param dict the keys and values; the value of {@code activation} is ignored
 * @param shape the original shape of the array, limited to the values that the example contains
 * @param dtype the original dtype of the array; null if the metadata does not contain it
 */
record RestoredSample(PythonValue.Dict dict, long[] shape, @Nullable DType dtype) {
  static final String SAMPLE_IDX = "sample_idx";
  private static final String TEXT = "text_preview";
  private static final String METADATA = "metadata";

  /**
   * A number of tokens greater than any example can have; the product of two such numbers fits in a
   * long.
   */
  private static final long TOO_MANY = 1L << 31;

  /** Description of an array in the metadata; null for metadata of another format. */
  private record Description(DType dtype, long[] shape) {
    static @Nullable Description of(@Nullable Object value) {
      if (!(value instanceof PythonValue.Dict dict)) {
        return null;
      }
      Object name = LayerKey.get(dict, DTYPE);
      List<Object> sizes = LayerKey.items(LayerKey.get(dict, SHAPE));
      boolean natural = sizes.stream().allMatch(size -> size instanceof Long n && n >= 0);
      return Arrays.stream(DType.values())
          .filter(dtype -> natural && !sizes.isEmpty() && dtype.numpyName().equals(name))
          .findFirst()
          .map(dtype -> new Description(dtype, sizes.stream().mapToLong(n -> (Long) n).toArray()))
          .orElse(null);
    }
  }

  /**
   * Returns the sample of an example in a layer.
   *
   * @param sampleMetadata the metadata, which may cover more examples
   */
  static RestoredSample of(
      String where, ExampleMetadata sampleMetadata, long example, int layer, Geometry stored)
      throws FormatException {
    PythonValue.Dict dict = ofLayer(where, PyJson.parse(where, sampleMetadata.sample()), layer);
    Description description = Description.of(LayerKey.get(dict, ACTIVATION));
    DType dtype = description == null ? null : description.dtype;
    long[] block = {stored.tokens(), stored.dim()};
    if (sampleMetadata.position() != ExampleMetadata.WHOLE) {
      long position = sampleMetadata.position() + example - sampleMetadata.first();
      dict = SelectedIntegers.ofToken(position, tokens(description)).of(dict);
      return new RestoredSample(token(dict, example, position, block), block, dtype);
    }
    dict =
        new SelectedIntegers(sampleMetadata.tokens(), stored.tokens(), tokens(description))
            .of(dict);
    if (description == null) {
      return new RestoredSample(standard(example, block, preview(dict), dict), block, null);
    }
    long[] shape = shape(where, description.shape, sampleMetadata.tokens(), stored);
    boolean changed = !Arrays.equals(shape, description.shape);
    if (changed && LayerKey.get(dict, SHAPE) instanceof PythonValue.Tuple) {
      dict = LayerKey.with(dict, SHAPE, LayerKey.tuple(shape));
    }
    return new RestoredSample(dict, shape, dtype);
  }

  /** Returns the original dtype of the array; null if the metadata does not contain it. */
  static @Nullable DType recorded(PythonValue.Dict dict) {
    Description description = Description.of(LayerKey.get(dict, ACTIVATION));
    return description == null ? null : description.dtype;
  }

  /**
   * Returns the dtype of an array that is written as recorded.
   *
   * @param stored the dtype of the values that are read
   */
  static DType dtype(@Nullable DType recorded, DType stored) {
    if (recorded != null) {
      return recorded;
    }
    return DTypeConversion.isExact(stored, DType.F32) ? DType.F32 : stored;
  }

  /** Returns the id of the sample, or the number of the example if the metadata has no valid id. */
  long id(long example) {
    Long id = LayerKey.integer(LayerKey.get(dict, SAMPLE_IDX));
    return id == null ? example : id;
  }

  /**
   * Returns a copy whose id is the number of the example. The previous id moves to the metadata of
   * the sample, if the sample has metadata.
   */
  RestoredSample numbered(long example) {
    Object before = LayerKey.get(dict, SAMPLE_IDX);
    PythonValue.Dict own = LayerKey.with(dict, SAMPLE_IDX, example);
    if (before != null && LayerKey.get(own, METADATA) instanceof PythonValue.Dict metadata) {
      own = LayerKey.with(own, METADATA, LayerKey.with(metadata, SAMPLE_IDX, before));
    }
    return new RestoredSample(own, shape, dtype);
  }

  /** Returns the dict for a layer; metadata that differs between layers has one dict per layer. */
  static PythonValue.Dict ofLayer(String where, @Nullable Object value, int layer)
      throws FormatException {
    if (!(value instanceof PythonValue.Dict dict)) {
      throw PickleError.BAD_METADATA.in(where, "is not a dict");
    }
    if (dict.size() != 1 || !(LayerKey.get(dict, LAYERS) instanceof PythonValue.Dict dicts)) {
      return dict;
    }
    Object found = dicts.size() == 0 ? null : dicts.value(0);
    for (int i = 0; i < dicts.size(); i++) {
      if (Long.valueOf(layer).equals(dicts.key(i))) {
        found = dicts.value(i);
      }
    }
    return found instanceof PythonValue.Dict own ? own : dict;
  }

  /** Returns the original shape, adjusted to the remaining tokens and the present vector width. */
  private static long[] shape(String where, long[] original, List<TokenRange> kept, Geometry stored)
      throws FormatException {
    long tokens = tokens(original);
    List<TokenRange> ranges = kept.isEmpty() ? List.of(new TokenRange(0, stored.tokens())) : kept;
    long count = ranges.stream().mapToLong(TokenRange::length).sum();
    PickleError.BAD_METADATA.check(
        count == stored.tokens(), where, "has %d tokens (expected %d)", count, stored.tokens());
    long end = tokens; // tokens from here on are padding
    long present =
        ranges.stream()
            .mapToLong(range -> Math.max(0, Math.min(range.stop(), end) - range.start()))
            .sum();
    if (present < tokens) {
      return new long[] {present, stored.dim()};
    }
    long[] shape = original.clone();
    shape[shape.length - 1] = stored.dim();
    return shape;
  }

  /** Returns the number of tokens of an original array; -1 if it is unknown. */
  private static long tokens(@Nullable Description original) {
    return original == null ? -1 : tokens(original.shape);
  }

  private static long tokens(long[] shape) {
    long tokens = 1;
    for (int i = 0; i < shape.length - 1; i++) {
      tokens = Math.min(tokens, TOO_MANY) * Math.min(shape[i], TOO_MANY);
    }
    return tokens;
  }

  private static PythonValue.Dict token(
      PythonValue.Dict sample, long example, long position, long[] shape) {
    PythonValue.Dict metadata = new PythonValue.Dict(PythonValue.Dict.Kind.DICT);
    Object id = LayerKey.get(sample, SAMPLE_IDX);
    metadata.append(id == null ? "sample" : SAMPLE_IDX, id == null ? sample : id);
    metadata.append("position", position);
    PythonValue.Dict integers = SelectedIntegers.in(sample);
    if (id != null && integers != null) {
      metadata.append(TokenSampleMetadata.FIELD, integers);
    }
    return standard(example, shape, preview(sample), metadata);
  }

  private static String preview(PythonValue.Dict sample) {
    return LayerKey.get(sample, TEXT) instanceof String text ? text : "";
  }

  private static PythonValue.Dict standard(
      long example, long[] shape, String text, PythonValue.Dict metadata) {
    PythonValue.Dict dict = ShardPickler.entries(example, shape, text);
    dict.append(METADATA, metadata);
    return dict;
  }
}
