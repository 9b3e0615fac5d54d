package org.saevhadoop.converters.stats;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics.Cosines;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;
import org.saevhadoop.jobs.stats.LayerStatistics.Occurrence;
import org.saevhadoop.jobs.stats.NormStatistics;
import org.saevhadoop.jobs.stats.NormStatistics.Bin;

/**
 * Statistics as text: a paragraph for each layer, in ASCII, with lines of 80 characters at most.
 */
final class StatsText {
  private static final int WIDTH = 80;
  private static final int MAX_BINS = 12;
  private static final int MAX_LISTED = 6;

  /** The number of positions that are named, besides the last one. */
  private static final int TOKENS = 3;

  private static final int LABELS = 2;

  private final PrintWriter out;
  private final List<String> none = new ArrayList<>();

  private StatsText(PrintWriter out) {
    this.out = out;
  }

  static void print(DatasetStatistics found, PrintWriter out) {
    String sampled =
        found.sampled() < found.examples() ? FigureText.count(found.sampled()) + " of " : "";
    out.printf(
        "%s%s, %s, %s%n",
        sampled,
        FigureText.count(found.examples(), "example"),
        FigureText.count(found.tokens(), "token"),
        FigureText.count(found.dim(), "dim"));
    found.layers().forEach(layer -> new StatsText(out).print(layer));
  }

  private void print(LayerStatistics layer) {
    String padding = layer.padding() == 0 ? "" : ", padding " + FigureText.count(layer.padding());
    out.printf(
        "%nlayer %d: %s%s%n", layer.layer(), FigureText.count(layer.vectors(), "vector"), padding);
    norms(layer.norms());
    if (layer.byToken().size() > 1) {
      byToken(layer.byToken());
    }
    byLabel(layer);
    line(
        "scale",
        FigureText.value(layer.scale()) + ", centered " + FigureText.value(layer.scaleCentered()));
    line("cosine", cosines(layer.cosines()));
    occurrences("NaN", layer.nan());
    occurrences("Inf", layer.infinite());
    occurrences("zero vectors", layer.zeroVectors());
    dims("dead dims", layer.values().dead());
    dims("dominant dims", layer.values().dominant());
    if (!none.isEmpty()) {
      line("none", String.join(", ", none));
    }
  }

  private static String cosines(Cosines cosines) {
    return cosines.pairs() == 0
        ? "no pairs"
        : "mean %s, std %s, from %s to %s (%s)"
            .formatted(
                FigureText.value(cosines.mean(), 3),
                FigureText.value(cosines.std(), 3),
                FigureText.value(cosines.min(), 3),
                FigureText.value(cosines.max(), 3),
                FigureText.count(cosines.pairs(), "random pair"));
  }

  private void line(String name, String text) {
    out.printf("  %-14s%s%n", name, text);
  }

  private void norms(NormStatistics norms) {
    line(
        "norm",
        "mean %s, RMS %s, from %s to %s"
            .formatted(
                FigureText.value(norms.mean()),
                FigureText.value(norms.rms()),
                FigureText.value(norms.min()),
                FigureText.value(norms.max())));
    List<Bin> bins = merged(norms.histogram());
    long most = bins.stream().mapToLong(Bin::vectors).max().orElse(1);
    for (Bin bin : bins) {
      String line =
          "    %9s to %9s %13s "
              .formatted(
                  FigureText.value(bin.from()),
                  FigureText.value(bin.to()),
                  FigureText.count(bin.vectors()));
      long length = (long) Math.ceil((double) bin.vectors() / most * (WIDTH - line.length()));
      out.println((line + "#".repeat((int) Math.max(0, length))).stripTrailing());
    }
  }

  /** Returns at most {@link #MAX_BINS} bins, of which a row of empty ones is one. */
  static List<Bin> merged(List<Bin> histogram) {
    for (int members = 1; ; members++) {
      List<Bin> merged = new ArrayList<>();
      for (int i = 0; i < histogram.size(); i += members) {
        List<Bin> some = histogram.subList(i, Math.min(histogram.size(), i + members));
        long vectors = some.stream().mapToLong(Bin::vectors).sum();
        double from = some.get(0).from();
        Bin last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
        if (last != null && last.vectors() == 0 && vectors == 0) {
          from = last.from();
          merged.remove(last);
        }
        merged.add(new Bin(from, some.get(some.size() - 1).to(), vectors));
      }
      if (merged.size() <= MAX_BINS) {
        return merged;
      }
    }
  }

  private void byToken(List<MeanNorm> norms) {
    StringBuilder line = new StringBuilder();
    int last = norms.size() - 1;
    for (int token = 0; token < Math.min(TOKENS, last); token++) {
      line.append(token).append(": ").append(FigureText.value(norms.get(token).mean(), 4));
      line.append("  ");
    }
    line.append(last > TOKENS ? "... " : "").append(last).append(": ");
    line("by token", line + FigureText.value(norms.get(last).mean(), 4));
  }

  private void byLabel(LayerStatistics layer) {
    if (!layer.byLabel().isEmpty()) {
      List<String> labels =
          layer.byLabel().entrySet().stream()
              .sorted(Comparator.comparingLong(entry -> -entry.getValue().vectors()))
              .limit(LABELS)
              .map(StatsText::label)
              .toList();
      int all = layer.byLabel().size();
      line(
          "by label",
          String.join("  ", labels)
              + (labels.size() < all ? "  ... of " + FigureText.count(all, "label") : ""));
    }
  }

  private static String label(Map.Entry<Integer, MeanNorm> label) {
    return "%d: %s (%s)"
        .formatted(
            label.getKey(),
            FigureText.value(label.getValue().mean(), 4),
            FigureText.count(label.getValue().vectors()));
  }

  private void occurrences(String name, @Nullable Occurrence found) {
    if (found == null) {
      none.add(name);
      return;
    }
    String dim = found.dim() < 0 ? "" : ", dim " + found.dim();
    line(
        name,
        "%s, first at example %d, token %d%s"
            .formatted(FigureText.count(found.count()), found.example(), found.token(), dim));
  }

  private void dims(String name, int[] dims) {
    if (dims.length == 0) {
      none.add(name);
    } else {
      line(name, FigureText.count(dims.length) + ": " + FigureText.first(dims, MAX_LISTED));
    }
  }
}
