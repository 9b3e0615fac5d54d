package org.saevhadoop.converters.stats;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.DimensionStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics.Cosines;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;
import org.saevhadoop.jobs.stats.LayerStatistics.Occurrence;
import org.saevhadoop.jobs.stats.NormStatistics;
import org.saevhadoop.jobs.stats.NormStatistics.Bin;

/** Statistics as JSON. */
final class StatsJson {
  private static final int MAX_LISTED_DIMS = 20;

  private StatsJson() {}

  /**
   * Returns the object of a dataset.
   *
   * @param vectors whether it has the statistics of each dimension and of each position
   */
  static ObjectNode of(DatasetStatistics found, boolean vectors) {
    ObjectNode json = JsonOutput.object();
    json.put("path", found.path()).put("examples", found.examples());
    json.put("sampled", found.sampled()).put("seed", found.seed());
    json.put("tokens", found.tokens()).put("dim", found.dim());
    ArrayNode layers = json.putArray("layers");
    for (LayerStatistics layer : found.layers()) {
      ObjectNode node = layers.addObject().put("layer", layer.layer());
      node.put("vectors", layer.vectors()).put("padding", layer.padding());
      norms(layer.norms(), node.putObject("norm"));
      occurrence(node, "nan", layer.nan());
      occurrence(node, "inf", layer.infinite());
      occurrence(node, "zero_vectors", layer.zeroVectors());
      dims(node, "dead", layer.values().dead());
      dims(node, "dominant", layer.values().dominant());
      number(node, "scale", layer.scale());
      number(node, "scale_centered", layer.scaleCentered());
      cosines(layer.cosines(), node.putObject("cosine"));
      if (!layer.byLabel().isEmpty()) {
        labels(layer.byLabel(), node.putArray("labels"));
      }
      ArrayNode histogram = node.putArray("histogram");
      for (Bin bin : layer.norms().histogram()) {
        ObjectNode into = histogram.addObject().put("from", bin.from());
        into.put("to", bin.to()).put("vectors", bin.vectors());
      }
      if (vectors) {
        vectors(layer, node);
      }
    }
    return json;
  }

  private static void norms(NormStatistics norms, ObjectNode into) {
    number(into, "mean", norms.mean());
    number(into, "rms", norms.rms());
    number(into, "min", norms.min());
    number(into, "max", norms.max());
    ObjectNode quantiles = into.putObject("quantiles");
    norms.quantiles().forEach((share, norm) -> number(quantiles, share.toString(), norm));
    into.put("vectors", norms.vectors());
  }

  private static void occurrence(ObjectNode into, String name, @Nullable Occurrence found) {
    into.put(name, found == null ? 0 : found.count());
    if (found != null) {
      ObjectNode first = into.putObject("first_" + name);
      first.put("example", found.example()).put("token", found.token());
      if (found.dim() >= 0) {
        first.put("dim", found.dim());
      }
    }
  }

  private static void dims(ObjectNode into, String name, int[] dims) {
    into.put(name, dims.length);
    Arrays.stream(dims).limit(MAX_LISTED_DIMS).forEach(into.putArray(name + "_dims")::add);
  }

  private static void cosines(Cosines cosines, ObjectNode into) {
    into.put("pairs", cosines.pairs());
    number(into, "mean", cosines.mean());
    number(into, "std", cosines.std());
    number(into, "min", cosines.min());
    number(into, "max", cosines.max());
  }

  private static void labels(Map<Integer, MeanNorm> norms, ArrayNode into) {
    norms.forEach(
        (label, norm) -> {
          ObjectNode node = into.addObject().put("label", label).put("vectors", norm.vectors());
          number(node, "mean_norm", norm.mean());
        });
  }

  /** Adds arrays as they are: as trees they would take several times the memory. */
  private static void vectors(LayerStatistics layer, ObjectNode into) {
    DimensionStatistics values = layer.values();
    into.putPOJO("mean", values.mean()).putPOJO("variance", values.variance());
    into.putPOJO("min", values.min()).putPOJO("max", values.max());
    into.putPOJO(
        "zero_share", IntStream.range(0, values.dim()).mapToDouble(values::zeroShare).toArray());
    into.putPOJO("norm_by_token", layer.byToken().stream().mapToDouble(MeanNorm::mean).toArray());
  }

  private static void number(ObjectNode into, String name, double value) {
    if (Double.isFinite(value)) {
      into.put(name, value);
    }
  }
}
