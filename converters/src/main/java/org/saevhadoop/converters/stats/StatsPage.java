package org.saevhadoop.converters.stats;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics.Occurrence;

/** Statistics as one page of HTML, which needs neither a network nor a script. */
final class StatsPage {
  private static final int LISTED_DIMS = 4;

  private final DatasetStatistics found;
  private final List<LayerStatistics> layers;

  private StatsPage(DatasetStatistics found) {
    this.found = found;
    layers = found.layers();
  }

  /**
   * Returns the page.
   *
   * @param command the command line that measures the same
   * @param version the name and the version of the program
   */
  static String of(DatasetStatistics found, String command, String version) throws IOException {
    StatsPage page = new StatsPage(found);
    StringBuilder html = new StringBuilder(START.formatted(Html.escaped(found.path()), style()));
    page.header(html, command, version);
    html.append("<h2>Layers</h2>\n").append(page.scalars());
    html.append("<h2>Norms</h2>\n<p>Quantiles are exact within 0.4 %.</p>\n").append(page.norms());
    html.append("<h2>Charts</h2>\n<div class=\"charts\">\n");
    new StatsCharts(found).all().forEach(chart -> html.append(chart.html()));
    return html.append("</div>\n</main></body></html>\n").toString();
  }

  private static final String START =
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
      """;

  private static String style() throws IOException {
    try (InputStream in = StatsPage.class.getResourceAsStream("stats.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void header(StringBuilder html, String command, String version) {
    String examples = FigureText.count(found.examples());
    if (found.sampled() < found.examples()) {
      examples = FigureText.count(found.sampled()) + " sampled of " + examples;
    }
    html.append("<header><p>Statistics of activations</p><h1>");
    html.append(Html.escaped(found.path())).append("</h1></header>\n<dl>");
    Stream.of(
            Map.entry("Examples", examples),
            Map.entry("Layers", FigureText.count(layers.size())),
            Map.entry("Tokens of an example", FigureText.count(found.tokens())),
            Map.entry("Dimensions", FigureText.count(found.dim())),
            Map.entry("Seed", Long.toString(found.seed())),
            Map.entry("Program", version))
        .forEach(fact -> fact(html, fact.getKey(), Html.escaped(fact.getValue())));
    fact(html, "Command", "<code>" + Html.escaped(command) + "</code>");
    html.append("</dl>\n");
  }

  private static void fact(StringBuilder html, String name, String value) {
    html.append("<div><dt>%s</dt><dd>%s</dd></div>\n".formatted(name, value));
  }

  private String scalars() {
    List<String> header =
        List.of(
            "layer",
            "vectors",
            "padding",
            "NaN",
            "infinite",
            "zero vectors",
            "dead dims",
            "dominant dims",
            "scale",
            "centered scale",
            "cosine of pairs");
    return table(
        header,
        layer ->
            List.of(
                FigureText.count(layer.vectors()),
                FigureText.count(layer.padding()),
                occurrences(layer.nan()),
                occurrences(layer.infinite()),
                occurrences(layer.zeroVectors()),
                dims(layer.values().dead()),
                dims(layer.values().dominant()),
                FigureText.value(layer.scale()),
                FigureText.value(layer.scaleCentered()),
                FigureText.value(layer.cosines().mean(), 3)
                    + " \u00b1 "
                    + FigureText.value(layer.cosines().std(), 3)));
  }

  private String norms() {
    List<String> header = new ArrayList<>(List.of("layer", "vectors", "mean", "RMS", "min"));
    TreeSet<Double> fractions = new TreeSet<>();
    layers.forEach(layer -> fractions.addAll(layer.norms().quantiles().keySet()));
    fractions.forEach(fraction -> header.add(FigureText.value(fraction * 100) + " %"));
    header.add("max");
    return table(
        header,
        layer -> {
          var norms = layer.norms();
          List<String> row = new ArrayList<>(List.of(FigureText.count(norms.vectors())));
          Stream.of(norms.mean(), norms.rms(), norms.min())
              .map(FigureText::value)
              .forEach(row::add);
          for (double fraction : fractions) {
            row.add(FigureText.value(norms.quantiles().getOrDefault(fraction, Double.NaN)));
          }
          row.add(FigureText.value(norms.max()));
          return row;
        });
  }

  private String table(List<String> header, Function<LayerStatistics, List<String>> cells) {
    return Html.table(
        header,
        layers.stream()
            .map(
                layer ->
                    Stream.concat(
                            Stream.of(Integer.toString(layer.layer())), cells.apply(layer).stream())
                        .toList())
            .toList());
  }

  private static String occurrences(@Nullable Occurrence found) {
    return found == null ? "0" : FigureText.count(found.count());
  }

  private static String dims(int[] dims) {
    String listed = dims.length == 0 ? "" : " (" + FigureText.first(dims, LISTED_DIMS) + ")";
    return FigureText.count(dims.length) + listed;
  }
}
