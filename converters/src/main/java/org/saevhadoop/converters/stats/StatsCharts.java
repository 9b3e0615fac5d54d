package org.saevhadoop.converters.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.saevhadoop.converters.stats.LineChart.Point;
import org.saevhadoop.converters.stats.LineChart.Shape;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;
import org.saevhadoop.jobs.stats.NormStatistics.Bin;

/** The charts of a report. */
final class StatsCharts {
  /** The largest number of points of a curve by dimension, and of bins. */
  static final int MAX_POINTS = 257;

  /** The largest number of points of a curve by token. */
  static final int MAX_TOKENS = 1024;

  private static final MeanNorm NO_NORM = new MeanNorm(0, Double.NaN);

  private final DatasetStatistics found;
  private final List<LayerStatistics> layers;
  private final SortedMap<Double, Bin> bins;

  StatsCharts(DatasetStatistics found) {
    this.found = found;
    layers = found.layers();
    bins =
        NormBins.merged(
            layers.stream().map(layer -> layer.norms().histogram()).toList(), MAX_POINTS - 1);
  }

  List<LineChart> all() {
    List<LineChart> charts = new ArrayList<>(List.of(histogram(), distribution()));
    charts.add(means());
    charts.add(variances());
    if (found.tokens() > 1) {
      charts.add(byToken());
    }
    if (layers.stream().anyMatch(layer -> !layer.byLabel().isEmpty())) {
      charts.add(byLabel());
    }
    return charts;
  }

  private LineChart histogram() {
    ChartAxis x = normAxis();
    boolean linear = x.has(0);
    List<SortedMap<Double, Bin>> counted = counted();
    List<Point> points = new ArrayList<>();
    for (Bin bin : bins.values()) {
      double width = linear ? bin.to() - bin.from() : Math.log(bin.to() / bin.from()) / Math.log(2);
      double[] shares =
          each(
              layer -> {
                Bin own = counted.get(layer).get(bin.from());
                long all = layers.get(layer).norms().vectors();
                return own == null ? Double.NaN : own.vectors() / width / all;
              });
      points.add(new Point(bin.from(), bin.to(), shares));
    }
    String unit = linear ? "unit" : "doubling";
    ChartAxis y = ChartAxis.linear("share of vectors per " + unit, 0, max(points), true);
    return chart(
        "Histogram of norms",
        "Share of the vectors per " + unit + " of the norm, zero vectors left out.",
        Shape.STEPS,
        x,
        y,
        points);
  }

  private LineChart distribution() {
    List<SortedMap<Double, Bin>> counted = counted();
    TreeSet<Double> borders = new TreeSet<>(bins.keySet());
    bins.values().forEach(bin -> borders.add(bin.to()));
    List<Point> points = new ArrayList<>();
    for (double border : borders) {
      points.add(
          Point.at(border, each(layer -> shareBelow(border, counted.get(layer), layers.get(layer)))));
    }
    return chart(
        "Cumulative distribution of norms",
        "Share of the vectors with a smaller norm.",
        Shape.LINE,
        normAxis(),
        ChartAxis.linear("share of vectors, %", 0, 100, true),
        points);
  }

  private static double shareBelow(
      double border, SortedMap<Double, Bin> counted, LayerStatistics layer) {
    if (counted.isEmpty()
        || border < counted.firstKey()
        || border > counted.get(counted.lastKey()).to()) {
      return Double.NaN;
    }
    long above = counted.tailMap(border).values().stream().mapToLong(Bin::vectors).sum();
    return 100.0 * (layer.norms().vectors() - above) / layer.norms().vectors();
  }

  private LineChart means() {
    List<Point> points = byRank(layer -> layer.values().mean());
    return chart(
        "Mean by dimension",
        "Means of the dimensions, from the largest to the smallest.",
        Shape.LINE,
        rankAxis(),
        ChartAxis.ofSigned("mean", LineChart.values(points)),
        points);
  }

  private LineChart variances() {
    List<Point> points = byRank(layer -> layer.values().variance());
    return chart(
        "Variance by dimension",
        "Variances of the dimensions, from the largest to the smallest.",
        Shape.LINE,
        rankAxis(),
        positive("variance", points),
        points);
  }

  private LineChart byToken() {
    List<Point> points = new ArrayList<>();
    for (int token : ranks(found.tokens(), MAX_TOKENS)) {
      points.add(
          Point.at(
              token,
              each(i -> token < layers.get(i).byToken().size() ? layers.get(i).byToken().get(token).mean() : Double.NaN)));
    }
    return chart(
        "Norm by position",
        "Mean norm of the vectors at each position of a token in its example, counted from 0.",
        Shape.LINE,
        ChartAxis.linear("token", 0, found.tokens() - 1, false),
        positive("mean norm", points),
        points);
  }

  private LineChart byLabel() {
    TreeSet<Integer> labels = new TreeSet<>();
    layers.forEach(layer -> labels.addAll(layer.byLabel().keySet()));
    List<Point> points = new ArrayList<>();
    for (int label : labels) {
      points.add(
          Point.at(label, each(i -> layers.get(i).byLabel().getOrDefault(label, NO_NORM).mean())));
    }
    return chart(
        "Norm by label",
        "Mean norm of the vectors that have each label.",
        Shape.DOTS,
        ChartAxis.linear("label", labels.first(), labels.last(), false),
        positive("mean norm", points),
        points);
  }

  private LineChart chart(
      String title, String note, Shape shape, ChartAxis x, ChartAxis y, List<Point> points) {
    boolean hidden = Arrays.stream(LineChart.values(points)).anyMatch(value -> !y.has(value));
    String all = hidden ? note + " Values of 0 are only in the table." : note;
    List<String> names = layers.stream().map(layer -> "layer " + layer.layer()).toList();
    return new LineChart(title, all, shape, x, y, names, points);
  }

  private List<SortedMap<Double, Bin>> counted() {
    return layers.stream().map(layer -> NormBins.counted(layer.norms().histogram(), bins)).toList();
  }

  private ChartAxis normAxis() {
    return bins.isEmpty()
        ? ChartAxis.linear("norm", 0, 1, false)
        : ChartAxis.ofPositive("norm", bins.firstKey(), bins.get(bins.lastKey()).to(), false);
  }

  private ChartAxis rankAxis() {
    return ChartAxis.linear("rank of the dimension", 1, found.dim(), false);
  }

  private static ChartAxis positive(String name, List<Point> points) {
    double max = max(points);
    double min =
        Arrays.stream(LineChart.values(points)).filter(value -> value > 0).min().orElse(max);
    return ChartAxis.ofPositive(name, min, max, true);
  }

  private static double max(List<Point> points) {
    return Arrays.stream(LineChart.values(points)).max().orElse(1);
  }

  private List<Point> byRank(Function<LayerStatistics, double[]> values) {
    List<double[]> sorted =
        layers.stream()
            .map(layer -> Arrays.stream(values.apply(layer)).filter(Double::isFinite).sorted())
            .map(stream -> stream.toArray())
            .toList();
    List<Point> points = new ArrayList<>();
    for (int rank : ranks(found.dim(), MAX_POINTS)) {
      points.add(
          Point.at(
              rank + 1,
              each(
                  i -> {
                    int at = sorted.get(i).length - 1 - rank;
                    return at < 0 ? Double.NaN : sorted.get(i)[at];
                  })));
    }
    return points;
  }

  /** Returns indexes at equal distances, the first and the last one included. */
  static int[] ranks(int count, int most) {
    if (count <= most) {
      return IntStream.range(0, count).toArray();
    }
    return IntStream.range(0, most)
        .map(i -> (int) Math.round((double) i * (count - 1) / (most - 1)))
        .toArray();
  }

  private double[] each(IntToDoubleFunction value) {
    return IntStream.range(0, layers.size()).mapToDouble(value).toArray();
  }
}
