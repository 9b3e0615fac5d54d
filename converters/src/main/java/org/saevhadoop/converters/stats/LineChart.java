package org.saevhadoop.converters.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * A chart with one curve for each layer, as SVG, and the table of its points. Colours and fonts are
 * those of the page (stats.css).
 *
 * @param title the title, as text
 * @param note what the reader must know to read it, as text
 * @param shape how points are drawn
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param layers the names of the curves
 * @param points the points of all curves, in ascending order
 */
record LineChart(
    String title,
    String note,
    Shape shape,
    ChartAxis x,
    ChartAxis y,
    List<String> layers,
    List<Point> points) {
  /** How points are drawn. */
  enum Shape {
    LINE,
    /** A horizontal line from a point to the end of its bin. */
    STEPS,
    DOTS
  }

  /**
   * A point of each curve.
   *
   * @param x the position of all of them
   * @param to the end of the bin; equal to the position for a point
   * @param y the value of each layer; NaN if it has none
   */
  record Point(double x, double to, double[] y) {
    static Point at(double x, double[] y) {
      return new Point(x, x, y);
    }
  }

  private static final int WIDTH = 560;
  private static final int HEIGHT = 300;
  private static final int LEFT = 58;
  private static final int TOP = 30;
  private static final int RIGHT = WIDTH - 14;
  private static final int BOTTOM = HEIGHT - 42;

  /** Up to this number of layers, each has a style of its own. */
  private static final int MAX_STYLES = 8;

  /** The number of layers that the legend of a ramp names. */
  private static final int MAX_KEYS = 9;

  /** Returns the values of all curves. */
  static double[] values(List<Point> points) {
    return points.stream()
        .flatMapToDouble(point -> Arrays.stream(point.y()))
        .filter(Double::isFinite)
        .toArray();
  }

  /** Returns the chart as a figure of HTML. */
  String html() {
    StringBuilder html = new StringBuilder("<figure>\n<figcaption><h3>");
    html.append(Html.escaped(title)).append("</h3>\n<p>").append(Html.escaped(note));
    html.append("</p></figcaption>\n");
    legend(html);
    svg(html);
    html.append("<details><summary>Table</summary>\n");
    table(html);
    return html.append("</details>\n</figure>\n").toString();
  }

  private void svg(StringBuilder html) {
    html.append("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"".formatted(WIDTH, HEIGHT));
    html.append(Html.escaped(title + " (" + x.name() + "; " + y.name() + ")")).append("\">\n");
    for (double tick : y.ticks()) {
      line(html, "grid", LEFT, down(tick), RIGHT, down(tick));
      text(html, "end", LEFT - 8, down(tick) + 4, tickText(tick));
    }
    for (double tick : x.ticks()) {
      line(html, "grid", across(tick), TOP, across(tick), BOTTOM);
      text(html, "middle", across(tick), BOTTOM + 18, tickText(tick));
    }
    line(html, "axis", LEFT, BOTTOM, RIGHT, BOTTOM);
    text(html, "start name", 0, 12, y.name());
    text(html, "end name", RIGHT, HEIGHT - 6, x.name());
    for (int i = 0; i < layers.size(); i++) {
      html.append("<g class=\"").append(style(i));
      html.append("<title>").append(Html.escaped(layers.get(i))).append("</title><path d=\"");
      html.append(path(i)).append("\"/></g>\n");
    }
    html.append("</svg>\n");
  }

  /** Returns the rest of an element that begins with its classes: those of a layer. */
  private String style(int layer) {
    String dots = shape == Shape.DOTS ? " dots" : "";
    return layers.size() <= MAX_STYLES
        ? "curve s%d%s\">".formatted(layer, dots)
        : "curve ramp"
            + dots
            + "\" style=\"--t:%s%%\">"
                .formatted(FigureText.value(100.0 * layer / (layers.size() - 1), 3));
  }

  /** Returns the path of a curve, which passes over points without a value. */
  private String path(int layer) {
    StringJoiner path = new StringJoiner(" ");
    String next = "M";
    for (Point point : points) {
      double value = point.y()[layer];
      if (y.has(value)) {
        String from = decimal(across(point.x())) + ",";
        String up = decimal(down(value));
        switch (shape) {
          case DOTS -> path.add("M" + from + up + "h0");
          case LINE -> path.add(next + from + up);
          case STEPS ->
              path.add(next.equals("M") ? "M" + from + BOTTOM : "")
                  .add("V" + up + " H" + decimal(across(point.to())));
        }
        next = "L";
      }
    }
    return path.length() > 0 && shape == Shape.STEPS ? path + " V" + BOTTOM : path.toString();
  }

  private double across(double value) {
    return LEFT + 6 + x.at(value) * (RIGHT - LEFT - 12);
  }

  private double down(double value) {
    return BOTTOM - y.at(value) * (BOTTOM - TOP);
  }

  private static void line(
      StringBuilder html, String type, double x1, double y1, double x2, double y2) {
    html.append(
        "<path class=\"%s\" d=\"M%s,%s L%s,%s\"/>\n"
            .formatted(type, decimal(x1), decimal(y1), decimal(x2), decimal(y2)));
  }

  private static void text(StringBuilder html, String type, double x, double y, String text) {
    html.append("<text class=\"%s\" x=\"%s\" y=\"%s\">".formatted(type, decimal(x), decimal(y)));
    html.append(Html.escaped(text)).append("</text>\n");
  }

  private static String decimal(double value) {
    return FigureText.value(Math.rint(value * 10) / 10, 5);
  }

  private static String tickText(double tick) {
    return Math.abs(tick) >= 1000 && Math.abs(tick) < 1e7 && tick == Math.rint(tick)
        ? String.format(Locale.ROOT, "%,d", (long) tick)
        : FigureText.value(tick);
  }

  /** Adds the legend: all layers, or some of those that form a ramp. */
  private void legend(StringBuilder html) {
    int n = layers.size();
    int keys = n <= MAX_STYLES ? n : MAX_KEYS;
    String key = shape == Shape.DOTS ? "12,4h0" : "0,4h24";
    html.append("<ul class=\"legend\">");
    for (int k = 0; k < keys; k++) {
      int layer = keys == 1 ? 0 : Math.toIntExact(Math.round((double) k * (n - 1) / (keys - 1)));
      html.append("<li><svg viewBox=\"0 0 24 8\" aria-hidden=\"true\"><g class=\"");
      html.append(style(layer)).append("<path d=\"M%s\"/></g></svg>".formatted(key));
      html.append(Html.escaped(layers.get(layer))).append("</li>");
    }
    html.append(keys < n ? "<li>of " + n + "</li>" : "").append("</ul>\n");
  }

  private void table(StringBuilder html) {
    List<String> header = new ArrayList<>(List.of(x.name()));
    if (shape == Shape.STEPS) {
      header.add("to");
    }
    header.addAll(layers);
    List<List<String>> rows = new ArrayList<>();
    for (Point point : points) {
      List<String> row = new ArrayList<>(List.of(FigureText.value(point.x(), 7)));
      if (shape == Shape.STEPS) {
        row.add(FigureText.value(point.to(), 7));
      }
      for (double value : point.y()) {
        row.add(Double.isFinite(value) ? FigureText.value(value, 6) : "");
      }
      rows.add(row);
    }
    html.append(Html.table(header, rows));
  }
}
