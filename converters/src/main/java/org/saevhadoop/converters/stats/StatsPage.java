package org.saevhadoop.converters.stats;

import static org.saevhadoop.converters.stats.FigureText.count;
import static org.saevhadoop.converters.stats.FigureText.value;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.settings.NearestWord;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.DimensionStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics.Cosines;
import org.saevhadoop.jobs.stats.LayerStatistics.Occurrence;

/** Statistics as one page of HTML, which needs neither a network nor a script. */
final class StatsPage {
  private static final int LISTED_DIMS = 4;
  private static final int LARGEST_DIMS = 3;
  private static final String NONE = "0";

  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en" xmlns="http://www.w3.org/1999/xhtml"><head><meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy"
        content="default-src 'none'; style-src 'unsafe-inline'"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <title>Statistics of %s</title>
      <style>
      %s</style></head>
      <body><main>
      <header><p>Statistics of activations</p><h1>%s</h1><p class="unusual">%s</p></header>
      <dl>%s</dl>
      <h2>Charts</h2>
      <div class="charts">
      %s</div>
      <h2>Layers</h2>
      %s<h2>Norms</h2>
      <p>Quantiles are exact within 0.4 %%.</p>
      %s      </main></body></html>
      """;

  /** A column of a table that has a row for each layer. */
  private record Column(String name, Function<LayerStatistics, String> cell) {
    /** Returns whether the column has no value for any layer. */
    boolean isNone(List<LayerStatistics> layers) {
      return layers.stream().map(cell).allMatch(NONE::equals);
    }
  }

  private static final Column LAYER = new Column("layer", layer -> Integer.toString(layer.layer()));

  /** Columns that are left out if they are 0 in all layers. */
  private static final List<Column> COUNTS =
      List.of(
          new Column("padding", layer -> count(layer.padding())),
          new Column("NaN", layer -> occurrences(layer.nan())),
          new Column("infinite", layer -> occurrences(layer.infinite())),
          new Column("zero vectors", layer -> occurrences(layer.zeroVectors())),
          new Column("dead dims", layer -> dims(layer.values().dead())),
          new Column("dominant dims", layer -> dims(layer.values().dominant())));

  private static final List<Column> FIGURES =
      List.of(
          new Column("largest dims, times the median", layer -> largest(layer.values())),
          new Column("scale", layer -> value(layer.scale())),
          new Column("centered scale", layer -> value(layer.scaleCentered())),
          new Column("cosine of pairs", layer -> cosines(layer.cosines())));

  private StatsPage() {}

  /**
   * Returns the page.
   *
   * @param command the command line that computes the statistics
   * @param version the name and the version of the program
   */
  static String of(DatasetStatistics found, String command, String version) throws IOException {
    String name = Html.escaped(name(found.path()));
    List<String> unusual = UnusualFigures.of(found);
    return PAGE.formatted(
        name,
        style(),
        name,
        Html.escaped(unusual.isEmpty() ? UnusualFigures.NOTHING : String.join("; ", unusual)),
        facts(found, command, version),
        new StatsCharts(found).all().stream().map(LineChart::html).collect(Collectors.joining()),
        figures(found.layers()),
        table(norms(found.layers().get(0)), found.layers()));
  }

  /** Returns the last component of a path. */
  private static String name(String path) {
    return path.replaceFirst("/+$", "").replaceFirst(".*/(?=.)", "");
  }

  private static String style() throws IOException {
    try (InputStream in = StatsPage.class.getResourceAsStream("stats.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String facts(DatasetStatistics found, String command, String version) {
    String sampled =
        found.sampled() < found.examples() ? count(found.sampled()) + " sampled of " : "";
    return fact("Path", Html.escaped(found.path()))
        + fact("Examples", sampled + count(found.examples()))
        + fact("Layers", count(found.layers().size()))
        + fact("Tokens of an example", count(found.tokens()))
        + fact("Dimensions", count(found.dim()))
        + fact("Seed", Long.toString(found.seed()))
        + fact("Program", Html.escaped(version))
        + fact("Command", "<code>" + words(command) + "</code>");
  }

  /** Returns a command broken into lines between its words. */
  private static String words(String command) {
    return Arrays.stream(command.split(" "))
        .map(word -> "<span>" + Html.escaped(word) + "</span>")
        .collect(Collectors.joining(" "));
  }

  private static String fact(String name, String html) {
    return "<div><dt>%s</dt><dd>%s</dd></div>\n".formatted(name, html);
  }

  /** Returns the columns for norms; the fractions of the quantiles are the same in all layers. */
  private static List<Column> norms(LayerStatistics any) {
    List<Column> columns = new ArrayList<>();
    columns.add(LAYER);
    columns.add(new Column("vectors", layer -> count(layer.norms().vectors())));
    columns.add(new Column("mean", layer -> value(layer.norms().mean())));
    columns.add(new Column("RMS", layer -> value(layer.norms().rms())));
    columns.add(new Column("min", layer -> value(layer.norms().min())));
    for (Double fraction : any.norms().quantiles().keySet()) {
      String name = value(fraction * 100) + " %";
      columns.add(
          new Column(
              name, layer -> value(layer.norms().quantiles().getOrDefault(fraction, Double.NaN))));
    }
    columns.add(new Column("max", layer -> value(layer.norms().max())));
    return columns;
  }

  /** Returns the table of all figures, without the counts that are 0 in all layers. */
  private static String figures(List<LayerStatistics> layers) {
    List<Column> columns = new ArrayList<>(List.of(LAYER));
    columns.add(new Column("vectors", layer -> count(layer.vectors())));
    List<String> none = new ArrayList<>();
    for (Column column : COUNTS) {
      if (column.isNone(layers)) {
        none.add(column.name().replaceFirst("^(NaN|infinite)$", "$1 values"));
      } else {
        columns.add(column);
      }
    }
    columns.addAll(FIGURES);
    String note = none.isEmpty() ? "" : "<p>No %s.</p>\n".formatted(NearestWord.or(none));
    return note + table(columns, layers);
  }

  private static String table(List<Column> columns, List<LayerStatistics> layers) {
    List<List<String>> rows = new ArrayList<>();
    for (LayerStatistics layer : layers) {
      rows.add(columns.stream().map(column -> column.cell().apply(layer)).toList());
    }
    return Html.table(columns.stream().map(Column::name).toList(), rows);
  }

  private static String occurrences(@Nullable Occurrence found) {
    return found == null ? NONE : count(found.count());
  }

  private static String dims(int[] dims) {
    String listed = dims.length == 0 ? "" : " (" + FigureText.first(dims, LISTED_DIMS) + ")";
    return count(dims.length) + listed;
  }

  private static String largest(DimensionStatistics values) {
    double[] sizes = values.meanAbsolute();
    double median = values.medianAbsolute();
    return IntStream.range(0, sizes.length)
        .filter(d -> Double.isFinite(sizes[d]))
        .boxed()
        .sorted(Comparator.comparingDouble(d -> -sizes[d]))
        .limit(LARGEST_DIMS)
        .map(d -> "%d: %s".formatted(d, median > 0 ? value(sizes[d] / median, 3) : "-"))
        .collect(Collectors.joining(", "));
  }

  private static String cosines(Cosines cosines) {
    return value(cosines.mean(), 3) + " \u00b1 " + value(cosines.std(), 3);
  }
}
