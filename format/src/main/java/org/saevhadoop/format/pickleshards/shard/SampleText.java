package org.saevhadoop.format.pickleshards.shard;

import static org.saevhadoop.format.pickle.value.PickleError.LIMIT_EXCEEDED;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.pickle.value.PyJson;
import org.saevhadoop.format.pickle.value.PythonValue;

/**
 * Sample metadata as one JSON object: the dict of the sample, with the dtype and the shape of the
 * array instead of the array. If the dicts of a sample differ between layers, {@code layers} has
 * one dict per layer.
 */
public final class SampleText {
  /** Key of the array in the dict of a sample. */
  public static final String ACTIVATION = "activation";

  /** Key of the per-layer dicts of a sample, if the dicts differ between layers. */
  public static final String LAYERS = "layers";

  /** Key of the dtype in the description of an array. */
  public static final String DTYPE = "dtype";

  /**
   * Key of the shape of the array, both in the dict of a sample and in the description of the
   * array.
   */
  public static final String SHAPE = "shape";

  /** Maximum number of characters per sample. */
  static final int MAX_CHARS = 8 << 20;

  /**
   * Maximum number of characters for all samples of a shard, which may all share one long string.
   */
  private static final long MAX_CHARS_OF_ALL = 1L << 31;

  private final String path;
  private final PayloadStore payloads;
  private long written;

  /** Creates a formatter for the samples of one shard. */
  public SampleText(String path, PayloadStore payloads) {
    this.path = path;
    this.payloads = payloads;
  }

  /**
   * Returns the metadata of a sample.
   *
   * @param dicts the dict of the sample in each of its layers
   * @throws org.saevhadoop.format.io.FormatException if the metadata is too large or contains
   *     itself
   */
  public String of(Map<Integer, PythonValue.Dict> dicts) throws IOException {
    Map<Integer, String> texts = new LinkedHashMap<>();
    Map<String, String> different = new HashMap<>();
    int left = MAX_CHARS;
    for (Map.Entry<Integer, PythonValue.Dict> entry : dicts.entrySet()) {
      PythonValue.Dict dict = entry.getValue();
      PythonValue.Dict described =
          LayerKey.get(dict, ACTIVATION) instanceof PythonValue.NumpyArray array
              ? LayerKey.with(dict, ACTIVATION, description(array))
              : dict;
      String text = PyJson.write(path, described, payloads, left);
      written += text.length();
      LIMIT_EXCEEDED.check(
          written <= MAX_CHARS_OF_ALL,
          path,
          "the metadata of its samples has more than %d characters",
          MAX_CHARS_OF_ALL);
      String same = different.putIfAbsent(text, text);
      left -= same == null ? text.length() : 0;
      texts.put(entry.getKey(), same == null ? text : same);
    }
    if (different.size() == 1) {
      return different.keySet().iterator().next();
    }
    StringBuilder all = new StringBuilder("{\"" + LAYERS + "\":{\"$dict\":[");
    texts.forEach(
        (layer, text) -> all.append('[').append(layer).append(',').append(text).append("],"));
    all.setCharAt(all.length() - 1, ']');
    return all.append("}}").toString();
  }

  private static PythonValue.Dict description(PythonValue.NumpyArray array) {
    PythonValue.Dict description = new PythonValue.Dict(PythonValue.Dict.Kind.DICT);
    description.append(DTYPE, ShardSamples.Sample.dtype(array).numpyName());
    description.append(SHAPE, LayerKey.tuple(array.shape()));
    return description;
  }
}
