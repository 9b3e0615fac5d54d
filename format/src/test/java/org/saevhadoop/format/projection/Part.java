package org.saevhadoop.format.projection;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;

/**
 * A part of a dataset as plain lists, against which projections are tested.
 *
 * @param examples their numbers in the order selected
 * @param columns the places of the layers in the order selected
 * @param tokens their numbers, ascending
 */
record Part(List<Integer> examples, List<Integer> columns, List<Integer> tokens) {
  /** Returns any part of a dataset: pieces in any order, single ones and long ones. */
  static Part of(Geometry geometry, Random random) {
    List<Integer> layers = range(geometry.layers().size());
    Collections.shuffle(layers, random);
    return new Part(
        pieces((int) geometry.examples(), random),
        layers.subList(0, 1 + random.nextInt(layers.size())),
        pieces(geometry.tokens(), random).stream().sorted().toList());
  }

  private static List<Integer> range(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toCollection(ArrayList::new));
  }

  private static List<Integer> pieces(int count, Random random) {
    List<List<Integer>> pieces = new ArrayList<>();
    for (int start = 0; start < count; ) {
      int stop = start + 1 + random.nextInt(Math.max(1, count / 2));
      pieces.add(range(count).subList(start, Math.min(count, stop)));
      start = stop;
    }
    if (random.nextInt(3) > 0) {
      Collections.shuffle(pieces, random);
    }
    int kept = 1 + random.nextInt(pieces.size());
    return pieces.subList(0, kept).stream().flatMap(List::stream).toList();
  }

  /** Returns this part as a projection. */
  Projection projection() {
    return new Projection(columns, ranges(examples), ranges(tokens));
  }

  private static List<IndexRange> ranges(List<Integer> numbers) {
    return numbers.stream().map(number -> new IndexRange(number, number + 1)).toList();
  }

  /** A part of a dataset as such a part, and as a dataset. */
  record Selected(Part part, ActivationDataset dataset) {}

  /** Selects any part of a dataset; if nested, of that another part. */
  static Selected select(ActivationDataset whole, boolean nested, Random random)
      throws IOException {
    Part part = of(whole.geometry(), random);
    ActivationDataset dataset = part.projection().of(whole).requireActivations();
    if (!nested) {
      return new Selected(part, dataset);
    }
    Selected inner = select(dataset, false, random);
    return new Selected(inner.part.in(part), inner.dataset);
  }

  /** Returns this part of what another one selects. */
  Part in(Part whole) {
    return new Part(
        examples.stream().map(whole.examples::get).toList(),
        columns.stream().map(whole.columns::get).toList(),
        tokens.stream().map(whole.tokens::get).toList());
  }
}
