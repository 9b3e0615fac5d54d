package org.saevhadoop.format.safetensors;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Placement;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.safetensors.SafetensorsTarget.Columns;
import org.saevhadoop.format.tensor.DType;

/**
 * How a file's tensors hold activations: one tensor {@code layer_<l>} of {@code [n, token, dim]}
 * for each layer, or one tensor {@code acts} of {@code [n, layer, token, dim]}.
 *
 * @param layout which of the two
 * @param geometry shape of what this file holds
 * @param tensors the tensors, by layer index; the one tensor for {@link Columns#ACTS}
 */
record ActivationColumns(Columns layout, Geometry geometry, List<Tensor> tensors) {
  static final String ACTS_NAME = "acts";
  static final String LAYER_PREFIX = "layer_";

  /** Metadata key: the layers of {@code acts} in stored order, separated by commas. */
  static final String LAYERS_KEY = "saev.layers";

  private static final Pattern LAYER = Pattern.compile(LAYER_PREFIX + "(-?\\d{1,10})");

  /** No model has so many; a file without data can claim billions. */
  private static final int MOST_LAYERS = 100_000;

  static ActivationColumns of(String path, SafetensorsHeader header) throws FormatException {
    List<Tensor> tensors = header.tensors();
    FormatException.check(!tensors.isEmpty(), path, "holds no tensor (expected activations)");
    for (Tensor tensor : tensors) {
      FormatException.check(
          tensor.name().equals(ACTS_NAME) || LAYER.matcher(tensor.name()).matches(),
          path,
          "tensor `%s` is no activation tensor (expected layer_<l> [n, token, dim] or acts [n,"
              + " layer, token, dim])",
          tensor.name());
      FormatException.check(
          tensor.dtype() == DType.F32,
          path,
          "tensor `%s` is %s (expected F32)",
          tensor.name(),
          tensor.dtype());
    }
    try {
      return header.tensor(ACTS_NAME).isPresent() ? acts(path, header) : layers(path, header);
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw FormatException.of(path, "its tensors are no activations: %s", e.getMessage());
    }
  }

  /** Whether another part of the same dataset is laid out like this one. */
  boolean agreesWith(ActivationColumns other) {
    return layout == other.layout
        && geometry.layers().equals(other.geometry.layers())
        && geometry.tokens() == other.geometry.tokens()
        && geometry.dim() == other.geometry.dim();
  }

  /** The order of the blocks in the file. */
  BlockOrder order() {
    if (layout == Columns.ACTS) {
      return BlockOrder.byExample(geometry);
    }
    List<Integer> byOffset =
        IntStream.range(0, tensors.size())
            .boxed()
            .sorted(Comparator.comparingLong(i -> tensors.get(i).begin()))
            .toList();
    return new BlockOrder(true, byOffset);
  }

  /** Where the blocks lie, the data beginning at byte {@code dataStart}. */
  Placement placement(long dataStart) {
    long[] base = new long[geometry.layers().size()];
    for (int i = 0; i < base.length; i++) {
      base[i] =
          layout == Columns.ACTS
              ? dataStart + tensors.get(0).begin() + i * geometry.blockBytes()
              : dataStart + tensors.get(i).begin();
    }
    return new Placement(
        base, layout == Columns.ACTS ? geometry.exampleBytes() : geometry.blockBytes());
  }

  private static ActivationColumns acts(String path, SafetensorsHeader header)
      throws FormatException {
    FormatException.check(
        header.tensors().size() == 1, path, "holds other tensors beside `acts` (expected none)");
    Tensor acts = header.tensors().get(0);
    List<Long> shape = acts.shape();
    FormatException.check(
        shape.size() == 4, path, "`acts` has shape %s (expected [n, layer, token, dim])", shape);
    int count = Math.toIntExact(shape.get(1));
    FormatException.check(
        count <= MOST_LAYERS,
        path,
        "`acts` has %d layers (expected at most %d)",
        count,
        MOST_LAYERS);
    List<Integer> layers = storedLayers(path, header.metadata());
    if (layers.isEmpty()) {
      layers = IntStream.range(0, count).boxed().toList();
    }
    FormatException.check(
        layers.size() == count,
        path,
        "%s names %d layers (expected %d as in `acts`)",
        LAYERS_KEY,
        layers.size(),
        count);
    Geometry geometry =
        new Geometry(
            shape.get(0), layers, Math.toIntExact(shape.get(2)), Math.toIntExact(shape.get(3)));
    return new ActivationColumns(Columns.ACTS, geometry, List.of(acts));
  }

  private static ActivationColumns layers(String path, SafetensorsHeader header)
      throws FormatException {
    List<Integer> found = new ArrayList<>();
    List<Long> shape = header.tensors().get(0).shape();
    FormatException.check(
        shape.size() == 3,
        path,
        "`%s` has shape %s (expected [n, token, dim])",
        header.tensors().get(0).name(),
        shape);
    for (Tensor tensor : header.tensors()) {
      FormatException.check(
          tensor.shape().equals(shape),
          path,
          "`%s` has shape %s (expected %s as the first tensor)",
          tensor.name(),
          tensor.shape(),
          shape);
      Matcher name = LAYER.matcher(tensor.name());
      if (name.matches()) {
        found.add(Integer.valueOf(name.group(1)));
      }
    }
    List<Integer> stored = storedLayers(path, header.metadata());
    List<Integer> ascending = found.stream().sorted().toList();
    List<Integer> layers = stored.stream().sorted().toList().equals(ascending) ? stored : ascending;
    Geometry geometry =
        new Geometry(
            shape.get(0), layers, Math.toIntExact(shape.get(1)), Math.toIntExact(shape.get(2)));
    List<Tensor> tensors =
        layers.stream().map(l -> header.tensors().get(found.indexOf(l))).toList();
    return new ActivationColumns(Columns.LAYERS, geometry, tensors);
  }

  private static List<Integer> storedLayers(String path, Map<String, String> metadata)
      throws FormatException {
    String text = metadata == null ? null : metadata.get(LAYERS_KEY);
    if (text == null) {
      return List.of();
    }
    try {
      return Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
    } catch (NumberFormatException e) {
      throw FormatException.of(
          path, "%s is \"%s\" (expected layers separated by commas)", LAYERS_KEY, text);
    }
  }
}
