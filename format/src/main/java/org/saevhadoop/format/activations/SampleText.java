package org.saevhadoop.format.activations;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.pickle.Payloads;
import org.saevhadoop.format.pickle.Py;
import org.saevhadoop.format.pickle.PyJson;

/**
 * A sample's attributes as one JSON object: its dict, with the type and the shape of the array in
 * place of the array. Where the layers do not say the same of a sample, {@code layers} has the dict
 * of each.
 */
final class SampleText {
  static final String ACTIVATION = "activation";
  static final String LAYERS = "layers";
  static final String DTYPE = "dtype";
  static final String SHAPE = "shape";

  /** What one sample may have, in characters. */
  static final int MOST_CHARS = 8 << 20;

  private SampleText() {}

  /**
   * The attributes of a sample.
   *
   * @param dicts its dict in each of its layers
   */
  static String of(String path, Map<Integer, Py.Dict> dicts, Payloads payloads) throws IOException {
    Map<Integer, String> texts = new LinkedHashMap<>();
    int left = MOST_CHARS;
    for (Map.Entry<Integer, Py.Dict> entry : dicts.entrySet()) {
      String text = PyJson.write(path, described(entry.getValue()), payloads, left);
      if (!texts.containsValue(text)) {
        left -= text.length();
      }
      texts.put(entry.getKey(), text);
    }
    String first = texts.values().iterator().next();
    if (texts.values().stream().allMatch(first::equals)) {
      return first;
    }
    StringBuilder all = new StringBuilder("{\"" + LAYERS + "\":{\"$dict\":[");
    texts.forEach((layer, text) -> all.append("[%d,%s],".formatted(layer, text)));
    all.setCharAt(all.length() - 1, ']');
    return all.append("}}").toString();
  }

  /** The dict with a description of the array. */
  private static Py.Dict described(Py.Dict dict) {
    Py.Dict described = new Py.Dict(dict.kind());
    for (int i = 0; i < dict.size(); i++) {
      boolean activation = ACTIVATION.equals(dict.key(i));
      described.append(
          dict.key(i), activation ? description((Py.NumpyArray) dict.value(i)) : dict.value(i));
    }
    return described;
  }

  private static Py.Dict description(Py.NumpyArray array) {
    Py.Dict description = new Py.Dict(Py.Dict.Kind.DICT);
    description.append(DTYPE, array.type().dtype().numpyName());
    description.append(
        SHAPE, new Py.Tuple(Arrays.stream(array.shape()).<Object>mapToObj(n -> n).toList()));
    return description;
  }
}
