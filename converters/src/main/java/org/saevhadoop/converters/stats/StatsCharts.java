package org.saevhadoop.converters.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.saevhadoop.converters.stats.LineChart.Point;
import org.saevhadoop.converters.stats.LineChart.Shape;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;
import org.saevhadoop.jobs.stats.NormStatistics;
import org.saevhadoop.jobs.stats.NormStatistics.Bin;

/** The charts of a report. */
final class StatsCharts {
  /**
   * The maximum ratio of the highest peak to the median peak of the histograms for which the
   * vertical axis is linear.
   */
  private static final double MAX_PEAK_RATIO = 3;

  /** The maximum number of points of a curve that is plotted by dimension. */
  private static final int MAX_POINTS = 257;

  /** The maximum number of points of a curve that is plotted by token. */
  private static final int MAX_TOKENS = 1024;

  private static final double LOG_2 = Math.log(2);
  private static final MeanNorm NO_NORM = new MeanNorm(0, Double.NaN);

  private final DatasetStatistics found;
  private final List<LayerStatistics> layers;

  /** The bin borders of all histograms. */
  private final TreeSet<Double> borders = new TreeSet<>();

  StatsCharts(DatasetStatistics found) {
    this.found = found;
    layers = found.layers();
    for (LayerStatistics layer : layers) {
      layer.norms().histogram().forEach(bin -> borders.addAll(List.of(bin.from(), bin.to())));
    }
  }

  List<LineChart> all() {
    List<LineChart> charts = new ArrayList<>();
    if (layers.size() > 1) {
      charts.addAll(byLayer());
    }
    charts.addAll(List.of(histogram(), distribution(), means(), variances()));
    if (found.tokens() > 1) {
      charts.add(byToken());
    }
    if (layers.stream().anyMatch(layer -> !layer.byLabel().isEmpty())) {
      charts.add(byLabel());
    }
    return charts;
  }

  /**
   * Returns the chart of all histograms, each drawn with the bin borders of all of them, which is
   * possible because the density of a histogram is constant within a bin.
   */
  private LineChart histogram() {
    ChartAxis x = normAxis();
    boolean linear = x.isLinear();
    List<Point> points = new ArrayList<>();
    for (double from : borders.headSet(borders.isEmpty() ? 0 : borders.last())) {
      double to = Objects.requireNonNull(borders.higher(from));
      points.add(new Point(from, to, each(layer -> density(layer.norms(), from, linear))));
    }
    String unit = linear ? "unit" : "doubling";
    String name = "share of vectors per " + unit;
    String note = "Share of the vectors per " + unit + " of the norm, zero vectors left out.";
    boolean isUneven = max(points) > MAX_PEAK_RATIO * medianPeak(points);
    return chart(
        "Histogram of norms",
        isUneven ? note + " The vertical axis has a square-root scale." : note,
        Shape.STEPS,
        x,
        isUneven
            ? ChartAxis.roots(name, max(points))
            : ChartAxis.linear(name, 0, max(points), true),
        points);
  }

  /** Returns the median of the highest densities of the layers. */
  private double medianPeak(List<Point> points) {
    double[] peaks =
        IntStream.range(0, layers.size())
            .mapToDouble(
                layer ->
                    points.stream()
                        .mapToDouble(point -> point.y()[layer])
                        .filter(Double::isFinite)
                        .max()
                        .orElse(0))
            .sorted()
            .toArray();
    return peaks[(peaks.length - 1) / 2];
  }

  private static double density(NormStatistics norms, double from, boolean linear) {
    for (Bin bin : norms.histogram()) {
      if (bin.from() <= from && from < bin.to()) {
        double width = linear ? bin.to() - bin.from() : Math.log(bin.to() / bin.from()) / LOG_2;
        return bin.vectors() / width / norms.vectors();
      }
    }
    return Double.NaN;
  }

  private LineChart distribution() {
    return chart(
        "Cumulative distribution of norms",
        "Share of the vectors with a smaller norm.",
        Shape.LINE,
        normAxis(),
        ChartAxis.linear("share of vectors, %", 0, 100, true),
        points(borders, (layer, border) -> shareBelow(border, layer.norms())));
  }

  /**
   * Returns the percentage of vectors with norms below a border; NaN unless it is known exactly.
   */
  private static double shareBelow(double border, NormStatistics norms) {
    long notBelow = 0;
    boolean known = false;
    for (Bin bin : norms.histogram()) {
      known |= bin.from() == border || bin.to() == border;
      notBelow += bin.from() >= border ? bin.vectors() : 0;
    }
    return known ? 100.0 * (norms.vectors() - notBelow) / norms.vectors() : Double.NaN;
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
        ChartAxis.ofGroups("variance", LineChart.values(points), true),
        points);
  }

  private LineChart byToken() {
    List<Integer> tokens =
        Arrays.stream(LineChart.spread(found.tokens(), MAX_TOKENS)).boxed().toList();
    List<Point> points = points(tokens, (layer, token) -> layer.byToken().get(token).mean());
    return chart(
        "Norm by position",
        "Mean norm of the vectors at each position of a token in its example, counted from 0.",
        Shape.LINE,
        ChartAxis.integers("token", 0, found.tokens() - 1),
        ChartAxis.ofGroups("mean norm", LineChart.values(points), true),
        points);
  }

  private LineChart byLabel() {
    TreeSet<Integer> labels = new TreeSet<>();
    layers.forEach(layer -> labels.addAll(layer.byLabel().keySet()));
    List<Point> points =
        points(labels, (layer, label) -> layer.byLabel().getOrDefault(label, NO_NORM).mean());
    return chart(
        "Norm by label",
        "Mean norm of the vectors that have each label.",
        Shape.DOTS,
        ChartAxis.integers("label", labels.first(), labels.last()),
        ChartAxis.ofGroups("mean norm", LineChart.values(points), true),
        points);
  }

  private LineChart chart(
      String title, String note, Shape shape, ChartAxis x, ChartAxis y, List<Point> points) {
    boolean hidden = Arrays.stream(LineChart.values(points)).anyMatch(value -> !y.has(value));
    String all = hidden ? note + " Values of 0 are only in the table." : note;
    List<String> names = layers.stream().map(layer -> "layer " + layer.layer()).toList();
    return new LineChart(title, all, shape, x, y, names, points);
  }

  private ChartAxis normAxis() {
    double[] occupied =
        layers.stream()
            .flatMap(layer -> layer.norms().histogram().stream())
            .filter(bin -> bin.vectors() > 0)
            .flatMapToDouble(bin -> DoubleStream.of(bin.from(), bin.to()))
            .toArray();
    return ChartAxis.ofGroups("norm", occupied, false);
  }

  private ChartAxis rankAxis() {
    return ChartAxis.integers("rank of the dimension", 1, found.dim());
  }

  private static double max(List<Point> points) {
    return Arrays.stream(LineChart.values(points)).max().orElse(1);
  }

  /** Returns charts that plot figures against the layer number. */
  private List<LineChart> byLayer() {
    List<LayerStatistics> sorted =
        layers.stream().sorted(Comparator.comparingInt(LayerStatistics::layer)).toList();
    ChartAxis x =
        ChartAxis.integers("layer", sorted.get(0).layer(), sorted.get(sorted.size() - 1).layer());
    List<Double> fractions = List.copyOf(layers.get(0).norms().quantiles().keySet());
    double low = fractions.get(0);
    double high = fractions.get(fractions.size() - 1);
    String band = FigureText.value(low * 100) + " %";
    String top = FigureText.value(high * 100) + " %";
    return List.of(
        figures(
            "Norm by layer",
            "Mean norm, and the norms that %s and %s of the vectors do not exceed."
                .formatted(band, top),
            Shape.BAND,
            x,
            List.of("mean", band, top),
            sorted,
            layer ->
                new double[] {
                  layer.norms().mean(),
                  layer.norms().quantiles().getOrDefault(low, Double.NaN),
                  layer.norms().quantiles().getOrDefault(high, Double.NaN)
                }),
        figures(
            "Scale by layer",
            "The factor that makes the mean squared norm the number of dimensions.",
            Shape.LINE,
            x,
            List.of("scale", "centered scale"),
            sorted,
            layer -> new double[] {layer.scale(), layer.scaleCentered()}),
        figures(
            "Cosine by layer",
            "Mean cosine of random pairs of vectors, and one standard deviation on both sides.",
            Shape.BAND,
            x,
            List.of("mean", "mean - std", "mean + std"),
            sorted,
            layer -> around(layer.cosines().mean(), layer.cosines().std())));
  }

  private static double[] around(double mean, double std) {
    return new double[] {mean, Math.max(-1, mean - std), Math.min(1, mean + std)};
  }

  private static LineChart figures(
      String title,
      String note,
      Shape shape,
      ChartAxis x,
      List<String> curves,
      List<LayerStatistics> layers,
      Function<LayerStatistics, double[]> figures) {
    List<Point> points =
        layers.stream().map(layer -> Point.at(layer.layer(), figures.apply(layer))).toList();
    double[] values = LineChart.values(points);
    double min = Arrays.stream(values).min().orElse(1);
    double max = Arrays.stream(values).max().orElse(1);
    String name = title.substring(0, title.indexOf(' ')).toLowerCase(Locale.ROOT);
    ChartAxis y =
        min < 0
            ? ChartAxis.ofSigned(name, values)
            : shape == Shape.BAND
                ? ChartAxis.ofGroups(name, values, true)
                : ChartAxis.ofPositive(name, min, max, true);
    return new LineChart(title, note, shape, x, y, curves, points);
  }

  private List<Point> byRank(Function<LayerStatistics, double[]> values) {
    int[] ranks = LineChart.spread(found.dim(), MAX_POINTS);
    double[][] y = new double[ranks.length][layers.size()];
    for (int i = 0; i < layers.size(); i++) {
      double[] sorted =
          Arrays.stream(values.apply(layers.get(i))).filter(Double::isFinite).sorted().toArray();
      for (int k = 0; k < ranks.length; k++) {
        y[k][i] = ranks[k] < sorted.length ? sorted[sorted.length - 1 - ranks[k]] : Double.NaN;
      }
    }
    return IntStream.range(0, y.length).mapToObj(k -> Point.at(ranks[k] + 1, y[k])).toList();
  }

  /** Returns a point of each curve at each position. */
  private <X extends Number> List<Point> points(
      Collection<X> positions, ToDoubleBiFunction<LayerStatistics, X> value) {
    return positions.stream()
        .map(x -> Point.at(x.doubleValue(), each(layer -> value.applyAsDouble(layer, x))))
        .toList();
  }

  private double[] each(ToDoubleFunction<LayerStatistics> value) {
    return layers.stream().mapToDouble(value).toArray();
  }
}
