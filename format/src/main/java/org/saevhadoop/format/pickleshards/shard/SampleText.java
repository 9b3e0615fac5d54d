package org.saevhadoop.format.pickleshards.shard;

import static org.saevhadoop.format.pickle.value.PickleError.LIMIT_EXCEEDED;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.pickle.value.PyJson;
import org.saevhadoop.format.pickle.value.PythonValue;

/**
 * A sample's attributes as one JSON object: its dict, with the type and the shape of the array in
 * place of the array. Where the layers do not say the same of a sample, {@code layers} has the dict
 * of each.
 */
public final class SampleText {
  public static final String ACTIVATION = "activation";
  public static final String LAYERS = "layers";
  public static final String DTYPE = "dtype";
  public static final String SHAPE = "shape";

  /** What one sample may have, in characters. */
  static final int MOST_CHARS = 8 << 20;

  /** What all samples of a shard may have: one long text can be that of each of them. */
  private static final long MOST_CHARS_OF_ALL = 1L << 31;

  private final String path;
  private final PayloadStore payloads;
  private long written;

  /**
   * For the samples of one shard.
   *
   * @param payloads where their long texts are
   */
  public SampleText(String path, PayloadStore payloads) {
    this.path = path;
    this.payloads = payloads;
  }

  /**
   * The attributes of a sample.
   *
   * @param dicts its dict in each of its layers
   */
  public String of(Map<Integer, PythonValue.Dict> dicts) throws IOException {
    Map<Integer, String> texts = new LinkedHashMap<>();
    Map<String, String> different = new HashMap<>();
    int left = MOST_CHARS;
    for (Map.Entry<Integer, PythonValue.Dict> entry : dicts.entrySet()) {
      String text = PyJson.write(path, described(entry.getValue()), payloads, left);
      written += text.length();
      LIMIT_EXCEEDED.check(
          written <= MOST_CHARS_OF_ALL,
          path,
          "the attributes of its samples have more than %d characters",
          MOST_CHARS_OF_ALL);
      String same = different.putIfAbsent(text, text);
      left -= same == null ? text.length() : 0;
      texts.put(entry.getKey(), same == null ? text : same);
    }
    if (different.size() == 1) {
      return different.keySet().iterator().next();
    }
    StringBuilder all = new StringBuilder("{\"" + LAYERS + "\":{\"$dict\":[");
    texts.forEach((layer, text) -> all.append("[%d,%s],".formatted(layer, text)));
    all.setCharAt(all.length() - 1, ']');
    return all.append("}}").toString();
  }

  /** The dict with a description of the array. */
  private static PythonValue.Dict described(PythonValue.Dict dict) {
    PythonValue.Dict described = new PythonValue.Dict(dict.kind());
    for (int i = 0; i < dict.size(); i++) {
      boolean activation = ACTIVATION.equals(dict.key(i));
      described.append(
          dict.key(i),
          activation ? description((PythonValue.NumpyArray) dict.value(i)) : dict.value(i));
    }
    return described;
  }

  private static PythonValue.Dict description(PythonValue.NumpyArray array) {
    PythonValue.Dict description = new PythonValue.Dict(PythonValue.Dict.Kind.DICT);
    description.append(DTYPE, array.type().dtype().numpyName());
    description.append(
        SHAPE,
        new PythonValue.Tuple(Arrays.stream(array.shape()).<Object>mapToObj(n -> n).toList()));
    return description;
  }
}
