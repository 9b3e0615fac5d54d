package org.saevhadoop.converters.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * A chart as SVG, with one curve for each layer or for each figure of a layer, and the table of its
 * points. Colors and fonts come from the page (stats.css).
 *
 * @param title the title, as text
 * @param note a note for the reader of the chart, as text
 * @param shape how points are drawn
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param curves the names of the curves
 * @param points the points of all curves, in ascending order
 */
record LineChart(
    String title,
    String note,
    Shape shape,
    ChartAxis x,
    ChartAxis y,
    List<String> curves,
    List<Point> points) {
  /** The ways in which points are drawn. */
  enum Shape {
    LINE,
    /** A horizontal line from a point to the end of its bin. */
    STEPS,
    DOTS,
    /** A line, and the area between the second and the third curve. */
    BAND
  }

  /**
   * A point of each curve.
   *
   * @param x the positions of all points
   * @param to the end of the bin; equal to the position for a point
   * @param y the value of each layer; NaN for a layer without a value
   */
  record Point(double x, double to, double[] y) {
    static Point at(double x, double[] y) {
      return new Point(x, x, y);
    }
  }

  private static final int WIDTH = 560;
  private static final int HEIGHT = 300;
  private static final int LEFT = 58;

  /**
   * The number of digits from which the value at a tick is written with an exponent, to fit the
   * margin.
   */
  private static final int MAX_TICK_DIGITS = 6;

  private static final int TOP = 30;
  private static final int RIGHT = WIDTH - 14;
  private static final int BOTTOM = HEIGHT - 42;

  /** Up to this number of layers, each layer has its own style. */
  private static final int MAX_STYLES = 8;

  /** The maximum number of layers that a legend names. */
  private static final int MAX_KEYS = 9;

  static double[] values(List<Point> points) {
    return points.stream()
        .flatMapToDouble(point -> Arrays.stream(point.y()))
        .filter(Double::isFinite)
        .toArray();
  }

  /** Returns evenly spaced indexes, including the first and the last one. */
  static int[] spread(int count, int most) {
    if (count <= most) {
      return IntStream.range(0, count).toArray();
    }
    return IntStream.range(0, most)
        .map(i -> (int) Math.round((double) i * (count - 1) / (most - 1)))
        .toArray();
  }

  /** Returns the chart as an HTML figure. */
  String html() {
    return """
        <figure>
        <figcaption><h3>%s</h3>
        <p>%s</p></figcaption>
        %s%s<details><summary>Table</summary>
        %s</details>
        </figure>
        """
        .formatted(Html.escaped(title), Html.escaped(wholeNote()), legend(), svg(), table());
  }

  /** Returns the note, followed by a sentence if an axis leaves out a range. */
  private String wholeNote() {
    boolean broken = Double.isFinite(x.gap()) || Double.isFinite(y.gap());
    return broken ? note + " At the dotted line, an axis leaves out a range without values." : note;
  }

  private String svg() {
    String label = Html.escaped(title + " (" + x.name() + "; " + y.name() + ")");
    StringBuilder svg = new StringBuilder();
    svg.append("<svg viewBox=\"0 0 %d %d\" role=\"img\" ".formatted(WIDTH, HEIGHT));
    svg.append("aria-label=\"%s\">\n".formatted(label));
    for (double tick : y.ticks()) {
      svg.append(line("grid", LEFT, down(tick), RIGHT, down(tick)));
      svg.append(text("end", LEFT - 8, down(tick) + 4, tickText(tick)));
    }
    for (double tick : x.ticks()) {
      svg.append(line("grid", across(tick), TOP, across(tick), BOTTOM));
      svg.append(text("middle", across(tick), BOTTOM + 18, tickText(tick)));
    }
    svg.append(line("axis", LEFT, BOTTOM, RIGHT, BOTTOM));
    if (Double.isFinite(y.gap())) {
      double gap = BOTTOM - y.gap() * (BOTTOM - TOP);
      svg.append(line("gap", LEFT, gap, RIGHT, gap));
    }
    if (Double.isFinite(x.gap())) {
      double gap = LEFT + 6 + x.gap() * (RIGHT - LEFT - 12);
      svg.append(line("gap", gap, TOP, gap, BOTTOM));
    }
    if (shape == Shape.BAND) {
      svg.append("<path class=\"band\" d=\"%s\"/>\n".formatted(band()));
    }
    svg.append(text("start name", 0, 12, y.name()));
    svg.append(text("end name", RIGHT, HEIGHT - 6, x.name()));
    for (int i = 0; i < curves.size(); i++) {
      String curve = "<g %s><title>%s</title><path d=\"%s\"/></g>\n";
      svg.append(curve.formatted(style(i), Html.escaped(curves.get(i)), path(i)));
    }
    return svg.append("</svg>\n").toString();
  }

  /** Returns the attributes of the curve of a layer. */
  private String style(int layer) {
    String dots = shape == Shape.DOTS ? " dots" : "";
    if (curves.size() <= MAX_STYLES) {
      return "class=\"curve s%d%s\"".formatted(layer, dots);
    }
    String share = FigureText.value(100.0 * layer / (curves.size() - 1), 3);
    return "class=\"curve ramp%s\" style=\"--t:%s%%\"".formatted(dots, share);
  }

  /** Returns the path of a curve, which skips points without a value. */
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
          case LINE, BAND -> path.add(next + from + up);
          case STEPS ->
              path.add(next.equals("M") ? "M" + from + BOTTOM : "")
                  .add("V" + up + " H" + decimal(across(point.to())));
        }
        next = "L";
      }
    }
    return path.length() > 0 && shape == Shape.STEPS ? path + " V" + BOTTOM : path.toString();
  }

  private String band() {
    StringJoiner path = new StringJoiner(" ");
    List<Point> drawn =
        points.stream().filter(point -> y.has(point.y()[1]) && y.has(point.y()[2])).toList();
    for (int i = 0; i < drawn.size(); i++) {
      path.add((i == 0 ? "M" : "L") + at(drawn.get(i), 1));
    }
    for (int i = drawn.size() - 1; i >= 0; i--) {
      path.add("L" + at(drawn.get(i), 2));
    }
    return path.toString();
  }

  private String at(Point point, int curve) {
    return decimal(across(point.x())) + "," + decimal(down(point.y()[curve]));
  }

  private double across(double value) {
    return LEFT + 6 + x.at(value) * (RIGHT - LEFT - 12);
  }

  private double down(double value) {
    return BOTTOM - y.at(value) * (BOTTOM - TOP);
  }

  private static String line(String type, double x1, double y1, double x2, double y2) {
    return "<path class=\"%s\" d=\"M%s,%s L%s,%s\"/>\n"
        .formatted(type, decimal(x1), decimal(y1), decimal(x2), decimal(y2));
  }

  private static String text(String type, double x, double y, String text) {
    return "<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n"
        .formatted(type, decimal(x), decimal(y), Html.escaped(text));
  }

  private static String decimal(double value) {
    return FigureText.value(Math.rint(value * 10) / 10, 5);
  }

  private static String tickText(double tick) {
    return Math.abs(tick) >= 1000 && Math.abs(tick) < 1e6 && tick == Math.rint(tick)
        ? FigureText.count((long) tick)
        : FigureText.value(tick, 5, MAX_TICK_DIGITS);
  }

  /** Returns the legend: all layers, or some of them if their colors form a ramp. */
  private String legend() {
    String key = shape == Shape.DOTS ? "12,4h0" : "0,4h24";
    StringBuilder legend = new StringBuilder("<ul class=\"legend\">");
    for (int layer : spread(curves.size(), MAX_KEYS)) {
      legend.append("<li><svg viewBox=\"0 0 24 8\" aria-hidden=\"true\">");
      legend.append("<g %s><path d=\"M%s\"/></g></svg>".formatted(style(layer), key));
      legend.append(Html.escaped(curves.get(layer))).append("</li>");
    }
    String all = curves.size() > MAX_KEYS ? "<li>of " + curves.size() + "</li>" : "";
    return legend.append(all).append("</ul>\n").toString();
  }

  private String table() {
    List<String> header = new ArrayList<>(List.of(x.name()));
    if (shape == Shape.STEPS) {
      header.add("to");
    }
    header.addAll(curves);
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
    return Html.table(header, rows);
  }
}
