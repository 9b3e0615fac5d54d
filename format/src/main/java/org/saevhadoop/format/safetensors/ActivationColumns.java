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
 * for each layer, or one tensor {@code acts} of {@code [n, layer, token, dim]}. Beside them the
 * patches' labels may lie: U8 {@code labels} of {@code [n, patch]}, at most as many as tokens.
 *
 * @param layout which of the two
 * @param geometry shape of what this file holds
 * @param tensors the tensors, by layer index; the one tensor for {@link Columns#ACTS}
 * @param labels the labels' tensor; null without
 */
record ActivationColumns(Columns layout, Geometry geometry, List<Tensor> tensors, Tensor labels) {
  static final String ACTS_NAME = "acts";
  static final String LAYER_PREFIX = "layer_";
  static final String LABELS_NAME = "labels";

  /** Metadata key: the layers of {@code acts} in stored order, separated by commas. */
  static final String LAYERS_KEY = "saev.layers";

  private static final Pattern LAYER = Pattern.compile(LAYER_PREFIX + "(-?\\d{1,10})");

  /** No model has so many; a file without data can claim billions. */
  private static final int MOST_LAYERS = 100_000;

  static ActivationColumns of(String path, SafetensorsHeader header) throws FormatException {
    List<Tensor> tensors =
        header.tensors().stream().filter(tensor -> !tensor.name().equals(LABELS_NAME)).toList();
    FormatException.check(
        !tensors.isEmpty(), path, "holds no tensor of activations (expected layer_<l> or acts)");
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
      ActivationColumns columns =
          header.tensor(ACTS_NAME).isPresent()
              ? acts(path, tensors, header.metadata())
              : layers(path, tensors, header.metadata());
      return columns.withLabels(path, header.tensor(LABELS_NAME).orElse(null));
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw FormatException.of(path, "its tensors are no activations: %s", e.getMessage());
    }
  }

  /** Whether another part of the same dataset is laid out like this one. */
  boolean agreesWith(ActivationColumns other) {
    return layout == other.layout
        && geometry.layers().equals(other.geometry.layers())
        && geometry.tokens() == other.geometry.tokens()
        && geometry.dim() == other.geometry.dim()
        && patches() == other.patches();
  }

  /** Labels of one example; 0 without labels. */
  int patches() {
    return labels == null ? 0 : Math.toIntExact(labels.shape().get(1));
  }

  /** What it holds, for a person. */
  String describe() {
    String what = layout + " " + geometry;
    return labels == null ? what : what + " with labels of " + patches() + " patches";
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

  private ActivationColumns withLabels(String path, Tensor found) throws FormatException {
    if (found != null) {
      List<Long> shape = found.shape();
      FormatException.check(
          found.dtype() == DType.U8
              && shape.size() == 2
              && shape.get(0) == geometry.examples()
              && shape.get(1) >= 1
              && shape.get(1) <= geometry.tokens(),
          path,
          "`%s` is %s %s (expected U8 [%d, patch] of 1 to %d patches)",
          LABELS_NAME,
          found.dtype(),
          shape,
          geometry.examples(),
          geometry.tokens());
    }
    return new ActivationColumns(layout, geometry, tensors, found);
  }

  private static ActivationColumns acts(
      String path, List<Tensor> tensors, Map<String, String> metadata) throws FormatException {
    FormatException.check(
        tensors.size() == 1,
        path,
        "holds other tensors beside `acts` (expected at most `%s`)",
        LABELS_NAME);
    Tensor acts = tensors.get(0);
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
    List<Integer> layers = storedLayers(path, metadata);
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
    return new ActivationColumns(Columns.ACTS, geometry, List.of(acts), null);
  }

  private static ActivationColumns layers(
      String path, List<Tensor> tensors, Map<String, String> metadata) throws FormatException {
    List<Integer> found = new ArrayList<>();
    List<Long> shape = tensors.get(0).shape();
    FormatException.check(
        shape.size() == 3,
        path,
        "`%s` has shape %s (expected [n, token, dim])",
        tensors.get(0).name(),
        shape);
    for (Tensor tensor : tensors) {
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
    List<Integer> stored = storedLayers(path, metadata);
    List<Integer> ascending = found.stream().sorted().toList();
    List<Integer> layers = stored.stream().sorted().toList().equals(ascending) ? stored : ascending;
    Geometry geometry =
        new Geometry(
            shape.get(0), layers, Math.toIntExact(shape.get(1)), Math.toIntExact(shape.get(2)));
    List<Tensor> ofLayers = layers.stream().map(l -> tensors.get(found.indexOf(l))).toList();
    return new ActivationColumns(Columns.LAYERS, geometry, ofLayers, null);
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
