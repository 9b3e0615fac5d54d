package org.saevhadoop.format.shuffle;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.permutation.Permutation;
import org.saevhadoop.format.projection.Projection;

/**
 * The parameters that determine the order of the rows of a shuffled dataset. They are recorded in
 * the dataset as text, which is also the key of the permutation.
 *
 * @param parent the identity of the whole source: its hash, or its digest
 * @param layers the numbers of the selected layers
 * @param examples the ranges of selected examples
 * @param tokens the ranges of selected tokens
 * @param sample the number of selected examples that are chosen at random
 * @param part the range that is written, in another random order of the chosen examples; null for
 *     all chosen examples
 * @param padding the number of vectors that are left out because they are padding
 */
public record RowOrder(
    RowUnit unit,
    long seed,
    String parent,
    List<Integer> layers,
    List<IndexRange> examples,
    List<IndexRange> tokens,
    long sample,
    @Nullable IndexRange part,
    long padding) {
  /**
   * Key of the {@link org.saevhadoop.format.dataset.Provenance} document that contains the text.
   */
  public static final String DOCUMENT = "saev.shuffle";

  public RowOrder {
    layers = List.copyOf(layers);
    examples = List.copyOf(examples);
    tokens = List.copyOf(tokens);
  }

  /** Returns the order of all rows that a projection selects. */
  public static RowOrder of(
      RowUnit unit, long seed, String parent, List<Integer> layers, Projection selected) {
    return new RowOrder(
        unit,
        seed,
        parent,
        layers,
        selected.examples(),
        selected.tokens(),
        selected.exampleCount(),
        null,
        0);
  }

  /** Returns a copy with other examples of the same selection. */
  public RowOrder with(long otherSample, @Nullable IndexRange otherPart) {
    return new RowOrder(
        unit, seed, parent, layers, examples, tokens, otherSample, otherPart, padding);
  }

  /** Returns a copy in which some vectors are left out. */
  public RowOrder withPadding(long vectors) {
    return new RowOrder(unit, seed, parent, layers, examples, tokens, sample, part, vectors);
  }

  /** Returns the permutation: row i of the source is at position {@code at(i)}. */
  public Permutation permutation(long rows) {
    return Permutation.of(rows, seed, text());
  }

  /** Returns the JSON object that records the order. */
  public String text() {
    ObjectNode json = Jackson.MAPPER.createObjectNode();
    json.put("unit", unit.toString()).put("seed", seed).put("parent", parent);
    ArrayNode numbers = json.putArray("layers");
    layers.forEach(numbers::add);
    put(examples, json.putArray("examples"));
    put(tokens, json.putArray("tokens"));
    json.put("sample", sample);
    put(part == null ? List.of() : List.of(part), json.putArray("part"));
    json.put("padding", padding);
    return json.toString();
  }

  private static void put(List<IndexRange> ranges, ArrayNode array) {
    ranges.forEach(range -> array.addArray().add(range.start()).add(range.stop()));
  }
}
