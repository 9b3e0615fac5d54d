package org.saevhadoop.format.safetensors.dataset;

import java.util.Arrays;
import java.util.List;

/**
 * How a foreign tensor is to be understood as activations.
 *
 * @param name the tensor's name; in the key-value layout the column's
 * @param layers the layers that it holds, as the model counts them; empty for 0, 1, 2 ...
 * @param layerAxis whether it has a dimension of layers
 * @param tokenAxis whether it has a dimension of tokens; without, an example has one
 */
public record TensorMapping(
    String name, List<Integer> layers, boolean layerAxis, boolean tokenAxis) {
  private static final String EXPECTED =
      "expected NAME=example,layer,token,dim in this order; layer and token may be missing, and"
          + " layer:13 or layer:10+11 gives the numbers";

  public TensorMapping {
    layers = List.copyOf(layers);
  }

  /**
   * Reads {@code NAME=example,layer,token,dim}: the tensor's dimensions in their order. Blocks must
   * be contiguous, so the order is always this one; layer and token may be missing. {@code
   * layer:13} numbers the one layer of a tensor, {@code layer:10+11} those of its dimension.
   *
   * @throws IllegalArgumentException where the text says something else
   */
  public static TensorMapping parse(String text) {
    int cut = text.lastIndexOf('=');
    if (cut < 1) {
      throw new IllegalArgumentException("\"%s\" (%s)".formatted(text, EXPECTED));
    }
    List<Integer> layers = List.of();
    boolean layerAxis = false;
    boolean tokenAxis = false;
    String order = "";
    for (String axis : text.substring(cut + 1).split(",", -1)) {
      String word = axis.strip();
      if (word.startsWith("layer:")) {
        layers = numbers(text, word.substring("layer:".length()));
        layerAxis = layers.size() > 1;
        word = "layer";
      } else if (word.equals("layer")) {
        layerAxis = true;
      } else if (word.equals("token")) {
        tokenAxis = true;
      }
      order += "," + word;
    }
    if (!order.matches(",example(,layer)?(,token)?,dim")) {
      throw new IllegalArgumentException("\"%s\" (%s)".formatted(text, EXPECTED));
    }
    return new TensorMapping(text.substring(0, cut), layers, layerAxis, tokenAxis);
  }

  private static List<Integer> numbers(String text, String list) {
    try {
      return Arrays.stream(list.split("\\+", -1)).map(Integer::valueOf).toList();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"%s\" (%s)".formatted(text, EXPECTED), e);
    }
  }

  /** Dimensions of one example. */
  int rank() {
    return 1 + (layerAxis ? 1 : 0) + (tokenAxis ? 1 : 0);
  }
}
