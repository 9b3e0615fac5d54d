package org.saevhadoop.converters.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * The charts of a report, as they are in the page or in the document that a browser made of it.
 *
 * @param charts the figures by their titles
 */
record StatsReport(Map<String, Element> charts) {
  private static final double DIGITS = 1e-5; // tables have six digits

  static Document parse(String xml) throws Exception {
    var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    builder.setErrorHandler(null);
    return builder.parse(new InputSource(new StringReader(xml)));
  }

  /** Returns the charts of HTML that need not be XML outside of its figures. */
  static StatsReport of(String html) throws Exception {
    Map<String, Element> charts = new LinkedHashMap<>();
    for (int at = html.indexOf("<figure"); at >= 0; at = html.indexOf("<figure", at + 1)) {
      String figure = html.substring(at, html.indexOf("</figure>", at) + "</figure>".length());
      Element root = parse(figure).getDocumentElement();
      charts.put(all(root, "h3").get(0).getTextContent(), root);
    }
    return new StatsReport(charts);
  }

  static List<Element> all(Element in, String name) {
    NodeList found = in.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  /** Returns the rows of the table of an element, with its header. */
  static List<List<String>> table(Element in) {
    List<List<String>> rows = new ArrayList<>();
    for (Element row : all(in, "tr")) {
      List<String> cells = new ArrayList<>();
      for (var cell = row.getFirstChild(); cell != null; cell = cell.getNextSibling()) {
        cells.add(cell.getTextContent());
      }
      rows.add(cells);
    }
    return rows;
  }

  /** The value of a layer in JSON that a row of a table shows; NaN if its cell must be empty. */
  interface Expected {
    double at(JsonNode layer, double x);
  }

  /** Asserts that the values of all charts are those that JSON with vectors has. */
  void assertEquals(JsonNode json) {
    List<JsonNode> layers = list(json.get("layers"));
    int next = 0;
    if (layers.size() > 1) {
      checkByLayer("Norm by layer", layers, "/norm/mean", "/norm/quantiles/0.01");
      checkByLayer("Scale by layer", layers, "/scale", "/scale_centered");
      checkByLayer("Cosine by layer", layers, "/cosine/mean");
      next = 3;
    }
    boolean linear =
        !all(charts.get("Histogram of norms"), "p").get(0).getTextContent().contains("doubling");
    check(next++, layers, (layer, x) -> density(layer, x, linear));
    check(next++, layers, StatsReport::below);
    check(next++, layers, (layer, x) -> ranked(layer.get("mean"), x));
    check(next++, layers, (layer, x) -> ranked(layer.get("variance"), x));
    if (json.get("tokens").intValue() > 1) {
      check(next++, layers, (layer, x) -> layer.get("norm_by_token").get((int) x).doubleValue());
    }
    if (layers.stream().anyMatch(layer -> layer.has("labels"))) {
      check(next++, layers, StatsReport::ofLabel);
    }
    assertThat(charts).hasSize(next);
  }

  /** Checks that the first curves of a chart have some figures of each layer. */
  private void checkByLayer(String title, List<JsonNode> layers, String... figures) {
    List<List<String>> table = table(charts.get(title));
    assertThat(table).hasSize(1 + layers.size());
    for (List<String> row : table.subList(1, table.size())) {
      JsonNode layer =
          layers.stream()
              .filter(each -> each.get("layer").asText().equals(row.get(0)))
              .findFirst()
              .orElseThrow();
      for (int i = 0; i < figures.length; i++) {
        double value = layer.at(figures[i]).doubleValue();
        assertThat(Double.parseDouble(row.get(1 + i)))
            .as("%s: %s of layer %s", title, figures[i], row.get(0))
            .isCloseTo(value, within(Math.abs(value) * DIGITS));
      }
    }
  }

  private void check(int chart, List<JsonNode> layers, Expected expected) {
    Element figure = List.copyOf(charts.values()).get(chart);
    List<List<String>> table = table(figure);
    int first = table.get(0).indexOf("layer " + layers.get(0).get("layer").intValue());
    assertThat(table.get(0)).hasSize(first + layers.size());
    assertThat(table).hasSizeGreaterThan(1);
    for (List<String> row : table.subList(1, table.size())) {
      double x = Double.parseDouble(row.get(0));
      for (int i = 0; i < layers.size(); i++) {
        double value = expected.at(layers.get(i), x);
        String as = charts.keySet().toArray()[chart] + " at " + row.get(0) + ", curve " + i;
        String cell = row.get(first + i);
        if (Double.isNaN(value)) {
          assertThat(cell).as(as).isEmpty();
        } else {
          assertThat(Double.parseDouble(cell))
              .as(as)
              .isCloseTo(value, within(Math.abs(value) * DIGITS));
        }
      }
    }
    assertThat(curves(figure)).hasSameSizeAs(layers);
  }

  /** Returns the paths of the curves of a chart, its legend left out. */
  static List<String> curves(Element figure) {
    return all(figure, "path").stream()
        .filter(path -> ((Element) path.getParentNode()).getAttribute("class").startsWith("curve"))
        .filter(path -> !all((Element) path.getParentNode(), "title").isEmpty())
        .map(path -> path.getAttribute("d"))
        .toList();
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  private static double density(JsonNode layer, double x, boolean linear) {
    for (JsonNode bin : layer.get("histogram")) {
      double from = bin.get("from").doubleValue();
      double to = bin.get("to").doubleValue();
      if (from <= x * (1 + 1e-9) && x * (1 + 1e-9) < to) {
        double width = linear ? to - from : Math.log(to / from) / Math.log(2);
        return bin.get("vectors").longValue() / width / vectors(layer);
      }
    }
    return Double.NaN;
  }

  private static double below(JsonNode layer, double x) {
    double notBelow = 0;
    boolean border = false;
    for (JsonNode bin : layer.get("histogram")) {
      border |= isClose(bin.get("from"), x) || isClose(bin.get("to"), x);
      notBelow +=
          bin.get("from").doubleValue() * (1 + 1e-6) > x ? bin.get("vectors").longValue() : 0;
    }
    return border ? 100 * (vectors(layer) - notBelow) / vectors(layer) : Double.NaN;
  }

  private static boolean isClose(JsonNode value, double x) {
    return Math.abs(value.doubleValue() - x) < 1e-6 * x;
  }

  private static long vectors(JsonNode layer) {
    return layer.at("/norm/vectors").longValue();
  }

  private static double ranked(JsonNode values, double rank) {
    return list(values).stream()
        .map(JsonNode::doubleValue)
        .sorted(Comparator.reverseOrder())
        .skip((long) rank - 1)
        .findFirst()
        .orElseThrow();
  }

  private static double ofLabel(JsonNode layer, double x) {
    for (JsonNode label : layer.get("labels")) {
      if (label.get("label").intValue() == x) {
        return label.get("mean_norm").doubleValue();
      }
    }
    return Double.NaN;
  }
}
