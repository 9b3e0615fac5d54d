package org.saevhadoop.format.projection;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;

/**
 * Requested layers by layer number, as in the model, in the requested order: {@code 10,12-14} or
 * {@code -2}.
 */
@PublicApi
public record LayerRequest(List<Integer> layers) {
  private static final int MAX_LAYERS = 100_000;
  private static final Pattern ITEM = Pattern.compile("(-?\\d{1,10})|(\\d{1,10})-(\\d{1,10})");
  private static final Pattern SLICE = Pattern.compile("(\\d{1,10}):(\\d{1,10})");

  public LayerRequest {
    layers = List.copyOf(layers);
  }

  /**
   * Parses layers separated by commas. {@code -2} is the layer numbered -2; {@code 12-14} is 12, 13
   * and 14.
   *
   * @throws IllegalArgumentException if the text has another form or contains a layer twice
   */
  public static LayerRequest parse(String text) {
    Set<Integer> layers = new LinkedHashSet<>();
    for (String item : text.split(",", -1)) {
      String piece = item.strip();
      Matcher matcher = ITEM.matcher(piece);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            piece.isEmpty()
                ? "a layer is empty"
                : "\"" + piece + "\" is not a layer" + slice(piece));
      }
      boolean one = matcher.group(1) != null;
      long first = Long.parseLong(matcher.group(one ? 1 : 2));
      long last = one ? first : Long.parseLong(matcher.group(3));
      if (first > last) {
        throw new IllegalArgumentException(piece + " selects nothing");
      }
      if (Math.max(Math.abs(first), last) > Integer.MAX_VALUE || last - first >= MAX_LAYERS) {
        throw new IllegalArgumentException(piece + " is not a layer of any model");
      }
      for (long layer = first; layer <= last; layer++) {
        if (!layers.add((int) layer)) {
          throw new IllegalArgumentException("layer " + layer + " is requested twice");
        }
      }
    }
    return new LayerRequest(new ArrayList<>(layers));
  }

  /** Returns a hint about the notation if a piece is a Python slice, whose end is exclusive. */
  private static String slice(String piece) {
    Matcher slice = SLICE.matcher(piece);
    if (!slice.matches()) {
      return "";
    }
    long first = Long.parseLong(slice.group(1));
    long last = Long.parseLong(slice.group(2));
    return ": %d-%d includes %d, %d-%d does not".formatted(first, last, last, first, last - 1);
  }

  /**
   * Returns the index of each layer in a geometry.
   *
   * @throws FormatException if a layer was not recorded
   */
  List<Integer> resolve(Geometry geometry, String path) throws FormatException {
    Map<Integer, Integer> recorded = TableShape.positions(geometry.layers());
    List<Integer> positions = new ArrayList<>();
    for (int layer : layers) {
      Integer position = recorded.get(layer);
      positions.add(position == null ? geometry.requireLayer(layer, path) : position);
    }
    return positions;
  }

  @Override
  public String toString() {
    return layers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
