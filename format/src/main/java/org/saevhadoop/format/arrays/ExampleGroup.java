package org.saevhadoop.format.arrays;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.StridedLayout;

/**
 * Arrays that hold all layers of the same examples.
 *
 * @param layers where each layer is, in the order of the dataset
 */
record ExampleGroup(List<Layer> layers) {
  /** Name of the file of the values that fill examples up. */
  static final String FILLING = "";

  /**
   * A layer of an array.
   *
   * @param index the index along the layer dimension of the array
   */
  record Layer(ArrayView view, long index) {
    private StoredElements<String> elements(long example, long examples, long tokens) {
      return view.elements(
          new long[] {example, index, 0, 0},
          new long[] {examples, 1, tokens, view.size(Axis.DIM)},
          Axis.EXAMPLE,
          Axis.TOKEN,
          Axis.DIM);
    }
  }

  ExampleGroup {
    layers = List.copyOf(layers);
  }

  ArrayView first() {
    return layers.get(0).view;
  }

  /** Returns the paths of the files, in the order of the layers. */
  Stream<String> files() {
    return layers.stream().map(layer -> layer.view.file()).distinct();
  }

  /** Returns the number of examples as they are stored. */
  long storedExamples() {
    return first().size(Axis.EXAMPLE);
  }

  /** Returns the number of tokens of each example as they are stored. */
  long storedTokens() {
    return first().size(Axis.TOKEN);
  }

  /** Adds the number of stored examples of each length in tokens. */
  void countLengths(Map<Long, Long> lengths) {
    lengths.merge(storedTokens(), storedExamples(), Long::sum);
  }

  /** Returns the number of examples of the dataset. */
  long examples(RaggedPolicy ragged) {
    return storedExamples() * (isFlattened(ragged) ? storedTokens() : 1);
  }

  private static boolean isFlattened(RaggedPolicy ragged) {
    return ragged.mode() == RaggedPolicy.Mode.FLATTEN;
  }

  /** Returns whether all blocks are in one file, where they can be read in place. */
  boolean isDirect(Geometry geometry, RaggedPolicy ragged) {
    return layers.stream()
            .allMatch(
                layer ->
                    layer.view.isDirect(geometry.tokens())
                        && layer.view.file().equals(first().file()))
        && (isFlattened(ragged)
            ? storedExamples() == 1 || storedTokens() == 1
            : storedTokens() >= geometry.tokens());
  }

  /** Returns whether one array has all layers, in their order. */
  private boolean isOneArray() {
    for (int i = 0; i < layers.size(); i++) {
      if (layers.get(i).index != i || layers.get(i).view != first()) {
        return false;
      }
    }
    return first().size(Axis.LAYER) == layers.size();
  }

  private boolean isByExample(Geometry geometry, RaggedPolicy ragged) {
    return isOneArray() && (isFlattened(ragged) || storedTokens() >= geometry.tokens());
  }

  /** Returns the offsets of the blocks: in the file, or in the {@linkplain #elements elements}. */
  BlockOffsets offsets(Geometry geometry, RaggedPolicy ragged) {
    long[] base = new long[layers.size()];
    long[] stride = new long[base.length];
    long block = geometry.blockBytes();
    boolean direct = isDirect(geometry, ragged);
    boolean byExample = isByExample(geometry, ragged);
    for (int i = 0; i < base.length; i++) {
      ArrayView view = layers.get(i).view;
      if (direct) {
        base[i] = view.layout().offset() + layers.get(i).index * view.stride(Axis.LAYER);
        boolean byToken = isFlattened(ragged) && storedExamples() == 1;
        stride[i] = view.stride(byToken ? Axis.TOKEN : Axis.EXAMPLE);
      } else {
        base[i] = byExample ? i * block : i * block * examples(ragged);
        stride[i] = byExample ? block * base.length : block;
      }
    }
    return BlockOffsets.strided(base, stride);
  }

  /** Returns the elements of the blocks that cannot be read in place, one block after another. */
  List<StoredElements<String>> elements(Geometry geometry, RaggedPolicy ragged) {
    ArrayView view = first();
    long tokens =
        isFlattened(ragged) ? storedTokens() : Math.min(storedTokens(), geometry.tokens());
    long[] all = {storedExamples(), layers.size(), tokens, geometry.dim()};
    if (isByExample(geometry, ragged)) {
      return List.of(
          isFlattened(ragged)
              ? view.elements(new long[4], all, Axis.EXAMPLE, Axis.TOKEN, Axis.LAYER, Axis.DIM)
              : view.elements(new long[4], all, Axis.values()));
    }
    List<StoredElements<String>> elements = new ArrayList<>();
    long missing = isFlattened(ragged) ? 0 : geometry.tokens() - tokens;
    for (Layer layer : layers) {
      if (missing == 0) {
        elements.add(layer.elements(0, storedExamples(), tokens));
        continue;
      }
      StridedLayout filling = StridedLayout.contiguous(0, missing * geometry.vectorBytes());
      for (long example = 0; example < storedExamples(); example++) {
        if (tokens > 0) {
          elements.add(layer.elements(example, 1, tokens));
        }
        elements.add(new StoredElements<>(FILLING, filling));
      }
    }
    return elements;
  }
}
