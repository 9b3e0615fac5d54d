package org.saevhadoop.converters.stats;

import static org.saevhadoop.converters.stats.FigureText.count;
import static org.saevhadoop.converters.stats.FigureText.first;
import static org.saevhadoop.converters.stats.FigureText.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;
import org.saevhadoop.jobs.stats.LayerStatistics.Occurrence;

/**
 * The unusual figures of a dataset: values that are not finite, zero vectors, dead and dominant
 * dimensions, and tokens whose norms are far larger than the others (attention sinks).
 */
final class UnusualFigures {
  static final String NOTHING = "nothing unusual";

  private static final int MAX_LISTED = 6;

  /** The factor by which the mean norm of an unusual token exceeds the median over all tokens. */
  private static final double MIN_RATIO = 5;

  /** The factor by which an unusual norm exceeds the median of its layer. */
  private static final double MIN_NORM_RATIO = 50;

  /** The minimum number of tokens that an example must have for its tokens to be compared. */
  private static final int MIN_TOKENS = 3;

  private final List<LayerStatistics> layers;
  private final List<String> all = new ArrayList<>();

  private UnusualFigures(List<LayerStatistics> layers) {
    this.layers = layers;
  }

  /** Returns a phrase for each kind of figure that is unusual. */
  static List<String> of(DatasetStatistics found) {
    UnusualFigures figures = new UnusualFigures(found.layers());
    figures.occurrences("NaN", "NaN", LayerStatistics::nan);
    figures.occurrences("infinite value", "infinite values", LayerStatistics::infinite);
    figures.occurrences("zero vector", "zero vectors", LayerStatistics::zeroVectors);
    figures.dims("dead dim", layer -> layer.values().dead());
    figures.dims("constant dim", layer -> layer.values().constant());
    figures.dims("dominant dim", layer -> layer.values().dominant());
    figures.tokens(found.storedTokens());
    figures.norms();
    return figures.all;
  }

  /** Returns the kinds of unusual figures of a layer, one word each. */
  static String names(LayerStatistics layer) {
    List<String> names = new ArrayList<>();
    Optional.ofNullable(layer.nan()).ifPresent(found -> names.add("NaN"));
    Optional.ofNullable(layer.infinite()).ifPresent(found -> names.add("Inf"));
    Optional.ofNullable(layer.zeroVectors()).ifPresent(found -> names.add("zero"));
    if (layer.values().dead().length > 0) {
      names.add("dead");
    }
    if (layer.values().constant().length > 0) {
      names.add("constant");
    }
    if (layer.values().dominant().length > 0) {
      names.add("dominant");
    }
    if (!largeTokens(layer.byToken()).isEmpty()) {
      names.add("token");
    }
    return String.join(" ", names);
  }

  private void occurrences(
      String singular, String plural, Function<LayerStatistics, @Nullable Occurrence> kind) {
    long count = 0;
    int having = 0;
    String place = "";
    for (LayerStatistics layer : layers) {
      Occurrence found = kind.apply(layer);
      if (found != null) {
        count += found.count();
        place = having++ == 0 ? place(layer, found) : place;
      }
    }
    if (having > 0) {
      all.add(
          count == 1
              ? "1 " + singular + " at " + place
              : "%s %s%s, first at %s".formatted(count(count), plural, in(having), place));
    }
  }

  private String place(LayerStatistics layer, Occurrence first) {
    return (layers.size() == 1 ? "" : "layer " + layer.layer() + ", ")
        + "example %d, token %d".formatted(first.example(), first.token())
        + (first.dim() == null ? "" : ", dim " + first.dim());
  }

  /**
   * Returns the number of layers in which a figure is unusual; empty if it is unusual in all
   * layers.
   */
  private String in(int having) {
    return having == layers.size()
        ? ""
        : Quote.sentence(" in %d of %d layers", having, layers.size());
  }

  private void dims(String singular, Function<LayerStatistics, int[]> kind) {
    TreeSet<Integer> dims = new TreeSet<>();
    int having = 0;
    boolean same = true;
    int[] first = null;
    for (LayerStatistics layer : layers) {
      int[] found = kind.apply(layer);
      having += found.length > 0 ? 1 : 0;
      IntStream.of(found).forEach(dims::add);
      if (found.length > 0) {
        first = first == null ? found : first;
        same &= Arrays.equals(first, found);
      }
    }
    if (having > 0) {
      int[] listed = dims.stream().mapToInt(Integer::intValue).toArray();
      String where =
          same ? in(having) : Quote.sentence(" in one or more of %d layers", layers.size());
      all.add(count(dims.size(), singular) + where + ": " + first(listed, MAX_LISTED));
    }
  }

  /**
   * Adds the tokens with large norms.
   *
   * @param stored the numbers that the tokens have in the stored examples
   */
  private void tokens(List<Integer> stored) {
    TreeMap<Integer, Double> ratios = new TreeMap<>();
    int having = 0;
    for (LayerStatistics layer : layers) {
      TreeMap<Integer, Double> found = largeTokens(layer.byToken());
      having += found.isEmpty() ? 0 : 1;
      found.forEach((token, ratio) -> ratios.merge(token, ratio, Math::max));
    }
    if (having > 0) {
      int[] tokens = ratios.keySet().stream().mapToInt(stored::get).toArray();
      double most = ratios.values().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
      all.add(
          "%s %s%s: norms of up to %s times the median"
              .formatted(
                  tokens.length == 1 ? "token" : "tokens",
                  first(tokens, MAX_LISTED),
                  in(having),
                  value(most, 2)));
    }
  }

  /** Adds norms far above the median, in layers without unusual tokens. */
  private void norms() {
    double most = 0;
    int having = 0;
    for (LayerStatistics layer : layers) {
      double median = layer.norms().quantiles().getOrDefault(0.5, Double.NaN);
      double ratio = layer.norms().max() / median;
      if (median > 0 && ratio > MIN_NORM_RATIO && largeTokens(layer.byToken()).isEmpty()) {
        most = Math.max(most, ratio);
        having++;
      }
    }
    if (having > 0) {
      all.add("norms%s of up to %s times the median".formatted(in(having), value(most, 2)));
    }
  }

  /** Returns the ratio of the mean norm of each large token to the median. */
  private static TreeMap<Integer, Double> largeTokens(List<MeanNorm> byToken) {
    double[] sorted =
        byToken.stream().mapToDouble(MeanNorm::mean).filter(Double::isFinite).sorted().toArray();
    TreeMap<Integer, Double> ratios = new TreeMap<>();
    if (sorted.length >= MIN_TOKENS) {
      double median = sorted[sorted.length / 2];
      for (int token = 0; token < byToken.size(); token++) {
        double mean = byToken.get(token).mean();
        if (median > 0 && mean > MIN_RATIO * median) {
          ratios.put(token, mean / median);
        }
      }
    }
    return ratios;
  }
}
