package org.saevhadoop.format.dataset.columns;

import java.util.Arrays;
import java.util.List;

/**
 * Interpretation of a tensor with another name as activations.
 *
 * @param name the name of the tensor; the name of the column in the key-value layout
 * @param layers the numbers of its layers in the model; empty for 0, 1, 2, ...
 * @param tokenAxis whether the tensor has a token dimension; without it, an example has one token
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
   * Parses {@code NAME=example,layer,token,dim}, the dimensions of the tensor in order. Blocks must
   * be contiguous, so that the order is fixed; layer and token may be omitted. {@code layer:13}
   * sets the number of the only layer of a tensor, {@code layer:10+11} those of its layer
   * dimension.
   *
   * @throws IllegalArgumentException if the text has another form
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

  int rank() {
    return 1 + (layerAxis ? 1 : 0) + (tokenAxis ? 1 : 0);
  }
}
