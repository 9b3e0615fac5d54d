package org.saevhadoop.format.arrays;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.LayerNumber;
import org.saevhadoop.format.arrays.file.NamePattern.Part;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.NaturalOrder;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FormatException;

/**
 * Arrays that contain all layers of the same examples.
 *
 * @param layers the location of each layer, in the order of the dataset
 * @param fields the per-token integers
 * @param kept the tokens that masks do not leave out; null if masks leave out no tokens
 * @param example the value of {@code {example}}; an empty string if it is not in the patterns
 * @param skipped the number of stored examples without vectors that precede the group in its files
 */
record ExampleGroup(
    List<Layer> layers,
    TokenFields fields,
    @Nullable KeptTokens kept,
    String example,
    long skipped) {
  /** The name of the virtual file of padding values. */
  static final String FILLING = "";

  /**
   * The sort key of a group, which all of its arrays share.
   *
   * @param shard the value of {@code {shard}}, or an empty string
   * @param example the value of {@code {example}}, or an empty string
   * @param rest the path of the file without the name of the layer
   * @param part the index of the part of the file
   */
  record Key(String shard, String example, String rest, int part) {
    static final Comparator<Key> ORDER =
        Comparator.comparing(Key::shard, NaturalOrder.OF_NAMES)
            .thenComparing(Key::example, NaturalOrder.OF_NAMES)
            .thenComparing(Key::rest, NaturalOrder.OF_NAMES)
            .thenComparingInt(Key::part);

    /**
     * Returns the key of an array.
     *
     * @param names the values of placeholders in the path of the file and in the name of the array
     * @param part the index of the part of the file
     */
    static Key of(Map<Part, String> names, ArrayFiles.Found file, int part, ArrayOptions options) {
      return new Key(
          names.getOrDefault(Part.SHARD, ""),
          names.getOrDefault(Part.EXAMPLE, ""),
          rest(file, options),
          part);
    }

    /** Returns the common part of the paths of all layers of the same examples. */
    private static String rest(ArrayFiles.Found file, ArrayOptions options) {
      if (options.files() != null) {
        // the parts that differ between groups are in the key
        return options.files().parts().isEmpty() ? file.path() : literal(file);
      }
      return LayerNumber.find(file.path()).map(LayerNumber::rest).orElse(file.path());
    }

    /** Returns the values of all placeholders except the layer. */
    private static String literal(ArrayFiles.Found file) {
      Map<Part, String> others = new TreeMap<>(file.parts());
      others.remove(Part.LAYER);
      others.remove(Part.HOOK);
      return String.join("/", others.values());
    }
  }

  /**
   * A layer of an array.
   *
   * @param index the index along the layer dimension of the array
   */
  record Layer(ArrayView view, long index) {
    private List<StoredElements<String>> elements(
        long example, long examples, long token, long tokens) {
      return view.elements(
          new long[] {example, index, token, 0},
          new long[] {examples, 1, tokens, view.size(Axis.DIM)},
          Axis.EXAMPLE,
          Axis.TOKEN,
          Axis.DIM);
    }
  }

  ExampleGroup {
    layers = List.copyOf(layers);
  }

  /** Returns the group without the integers of the given names. */
  ExampleGroup without(Set<String> names) {
    return new ExampleGroup(layers, fields.without(names), kept, example, skipped);
  }

  /** Returns the groups that have vectors. */
  static List<ExampleGroup> withVectors(List<ExampleGroup> groups, RaggedPolicy ragged) {
    List<ExampleGroup> some = new ArrayList<>();
    Map<List<String>, Long> skipped = new HashMap<>();
    for (ExampleGroup group : groups) {
      List<String> files = group.files();
      if (group.examples(ragged) == 0) {
        skipped.merge(files, group.storedExamples(), Math::addExact);
        continue;
      }
      Long before = skipped.remove(files);
      some.add(
          before == null
              ? group
              : new ExampleGroup(group.layers, group.fields, group.kept, group.example, before));
    }
    return some;
  }

  ArrayView first() {
    return layers.get(0).view;
  }

  /**
   * Returns the paths of the files in the order of the layers, followed by the files of integers.
   */
  List<String> files() {
    Set<String> files = new LinkedHashSet<>();
    layers.forEach(layer -> files.add(layer.view.file()));
    files.addAll(fields.companions(first()));
    return List.copyOf(files);
  }

  /**
   * Checks that the arrays of the group agree, and that all arrays have the same type and width.
   *
   * @param first the first array of the dataset
   */
  void check(String path, ArrayView first) throws FormatException {
    ArrayView own = first();
    for (Layer layer : layers) {
      ArrayView view = layer.view;
      ArrayError.MIXED_SHAPES.check(
          view.dtype() == first.dtype() && view.size(Axis.DIM) == first.size(Axis.DIM),
          path,
          "%s has %s of width %d (expected %s of width %d, as in %s)",
          view,
          view.dtype(),
          view.size(Axis.DIM),
          first.dtype(),
          first.size(Axis.DIM),
          first);
      ArrayError.MIXED_SHAPES.check(
          view.size(Axis.EXAMPLE) == own.size(Axis.EXAMPLE)
              && view.size(Axis.TOKEN) == own.size(Axis.TOKEN)
              && view.swapUnit() == own.swapUnit(),
          path,
          "%s has %d examples of %d tokens (expected %d examples of %d tokens in the same byte"
              + " order, as in %s)",
          view,
          view.size(Axis.EXAMPLE),
          view.size(Axis.TOKEN),
          own.size(Axis.EXAMPLE),
          own.size(Axis.TOKEN),
          own);
    }
  }

  /** Returns whether the file of the first layer also has per-token integers. */
  boolean hasOwnTokens() {
    return Stream.concat(fields.kept().values().stream(), fields.masks().stream())
        .anyMatch(view -> view.file().equals(first().file()));
  }

  long storedExamples() {
    return first().size(Axis.EXAMPLE);
  }

  long storedTokens() {
    return first().size(Axis.TOKEN);
  }

  /** Returns the number of stored examples for each number of kept tokens. */
  SortedMap<Long, Long> lengths() {
    SortedMap<Long, Long> lengths = new TreeMap<>();
    if (kept == null) {
      lengths.put(storedTokens(), storedExamples());
      return lengths;
    }
    for (long example = 0; example < storedExamples(); example++) {
      lengths.merge(kept.length(example), 1L, Long::sum);
    }
    return lengths;
  }

  /** Returns the number of examples of the dataset. */
  long examples(RaggedPolicy ragged) {
    if (!ragged.isFlattening()) {
      return storedExamples();
    }
    return kept == null ? storedExamples() * storedTokens() : kept.count();
  }

  /** Returns the ranges of kept tokens of a stored example. */
  List<IndexRange> ranges(long example) {
    if (kept != null) {
      return kept.ranges(example);
    }
    return storedTokens() == 0 ? List.of() : List.of(new IndexRange(0, storedTokens()));
  }

  /** Returns the number of kept tokens of a stored example. */
  long length(long example) {
    return kept == null ? storedTokens() : kept.length(example);
  }

  /** Returns whether an example is padded because it has fewer tokens than the dataset. */
  boolean isFilled(Geometry geometry, RaggedPolicy ragged) {
    return !ragged.isFlattening() && lengths().firstKey() < geometry.tokens();
  }

  /** Returns whether masks leave out tokens that blocks would otherwise have. */
  private boolean isMasked(Geometry geometry, RaggedPolicy ragged) {
    return kept != null && (ragged.isFlattening() || !kept.startsWith(geometry.tokens()));
  }

  /** Returns whether all blocks are in one file and can be read in place. */
  boolean isDirect(Geometry geometry, RaggedPolicy ragged) {
    return !isMasked(geometry, ragged)
        && layers.stream()
            .allMatch(
                layer ->
                    layer.view.isDirect(geometry.tokens())
                        && layer.view.file().equals(first().file()))
        && layers.stream().allMatch(layer -> layer.view.along(blockAxis(ragged)).isEven())
        && (ragged.isFlattening()
            ? storedExamples() == 1 || storedTokens() == 1
            : storedTokens() >= geometry.tokens());
  }

  /** Returns the axis that leads to the next block of a layer if blocks are read in place. */
  private Axis blockAxis(RaggedPolicy ragged) {
    return ragged.isFlattening() && storedExamples() == 1 ? Axis.TOKEN : Axis.EXAMPLE;
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

  /** Returns the offsets of the blocks: in the file, or in the {@linkplain #elements elements}. */
  BlockOffsets offsets(Geometry geometry, RaggedPolicy ragged) {
    long[] base = new long[layers.size()];
    long[] stride = new long[base.length];
    long block = geometry.blockBytes();
    boolean direct = isDirect(geometry, ragged);
    boolean byExample = isOneArray();
    for (int i = 0; i < base.length; i++) {
      ArrayView view = layers.get(i).view;
      if (direct) {
        base[i] = view.offset() + view.along(Axis.LAYER).offset(layers.get(i).index);
        stride[i] = view.along(blockAxis(ragged)).stride();
      } else {
        base[i] = byExample ? i * block : i * block * examples(ragged);
        stride[i] = byExample ? block * base.length : block;
      }
    }
    return BlockOffsets.strided(base, stride);
  }

  /** Returns the elements of the blocks that cannot be read in place, one block after another. */
  List<StoredElements<String>> elements(Geometry geometry, RaggedPolicy ragged) {
    boolean flattened = ragged.isFlattening();
    if (isMasked(geometry, ragged) || !flattened && storedTokens() < geometry.tokens()) {
      return flattened ? flattenedRuns() : filledRuns(geometry);
    }
    long tokens = flattened ? storedTokens() : geometry.tokens();
    if (isOneArray()) {
      long[] all = {storedExamples(), layers.size(), tokens, geometry.dim()};
      return flattened
          ? first().elements(new long[4], all, Axis.EXAMPLE, Axis.TOKEN, Axis.LAYER, Axis.DIM)
          : first().elements(new long[4], all, Axis.values());
    }
    return layers.stream()
        .flatMap(layer -> layer.elements(0, storedExamples(), 0, tokens).stream())
        .toList();
  }

  /** Returns the runs of tokens of all examples, for all layers together or layer by layer. */
  private List<StoredElements<String>> flattenedRuns() {
    List<StoredElements<String>> elements = new ArrayList<>();
    for (Layer layer : isOneArray() ? layers.subList(0, 1) : layers) {
      for (long example = 0; example < storedExamples(); example++) {
        for (IndexRange run : ranges(example)) {
          elements.addAll(
              isOneArray()
                  ? first()
                      .elements(
                          new long[] {example, 0, run.start(), 0},
                          new long[] {1, layers.size(), run.length(), first().size(Axis.DIM)},
                          Axis.TOKEN,
                          Axis.LAYER,
                          Axis.DIM)
                  : layer.elements(example, 1, run.start(), run.length()));
        }
      }
    }
    return elements;
  }

  /** Returns the runs of tokens of each block, and its padding. */
  private List<StoredElements<String>> filledRuns(Geometry geometry) {
    List<StoredElements<String>> elements = new ArrayList<>();
    long blocks = layers.size() * storedExamples();
    for (long block = 0; block < blocks; block++) {
      boolean byExample = isOneArray();
      long layer = byExample ? block % layers.size() : block / storedExamples();
      long example = byExample ? block / layers.size() : block % storedExamples();
      addBlock(elements, layers.get((int) layer), example, geometry);
    }
    return elements;
  }

  private void addBlock(
      List<StoredElements<String>> elements, Layer layer, long example, Geometry geometry) {
    long missing = geometry.tokens();
    for (IndexRange run : ranges(example)) {
      long some = Math.min(missing, run.length());
      if (some > 0) {
        elements.addAll(layer.elements(example, 1, run.start(), some));
      }
      missing -= some;
    }
    if (missing > 0) {
      elements.add(
          new StoredElements<>(
              FILLING, StridedLayout.contiguous(0, missing * geometry.vectorBytes())));
    }
  }
}
