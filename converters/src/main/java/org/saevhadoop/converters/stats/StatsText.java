package org.saevhadoop.converters.stats;

import static org.saevhadoop.converters.stats.FigureText.count;
import static org.saevhadoop.converters.stats.FigureText.first;
import static org.saevhadoop.converters.stats.FigureText.value;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics.Cosines;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;
import org.saevhadoop.jobs.stats.LayerStatistics.Occurrence;
import org.saevhadoop.jobs.stats.NormStatistics;
import org.saevhadoop.jobs.stats.NormStatistics.Bin;

/**
 * Statistics as text, in ASCII, with lines of at most 80 characters: unusual figures, and a
 * paragraph for each layer, or a line for each of many layers.
 */
final class StatsText {
  private static final int WIDTH = 80;
  private static final int MAX_BINS = 12;
  private static final int MAX_LISTED = 6;

  /** The number of positions that are named in addition to the last one. */
  private static final int TOKENS = 3;

  private static final int LABELS = 2;

  /** The largest number of layers that have a paragraph each. */
  private static final int MAX_PARAGRAPHS = 4;

  private static final String ROW = "%5s %10s %10s %10s %9s  %s";

  /** The numbers that the tokens have in the stored examples. */
  private final List<Integer> tokens;

  private final PrintWriter out;
  private final List<String> none = new ArrayList<>();

  private StatsText(List<Integer> tokens, PrintWriter out) {
    this.tokens = tokens;
    this.out = out;
  }

  static void print(DatasetStatistics found, PrintWriter out) {
    List<String> unusual = UnusualFigures.of(found);
    String first = unusual.isEmpty() ? UnusualFigures.NOTHING : String.join("; ", unusual);
    folded(first).forEach(out::println);
    String sampled = found.sampled() < found.examples() ? count(found.sampled()) + " of " : "";
    out.printf(
        "%s%s, %s, %s%n",
        sampled,
        count(found.examples(), "example"),
        count(found.tokens(), "token"),
        count(found.dim(), "dim"));
    if (found.layers().size() > MAX_PARAGRAPHS) {
      printRows(found.layers(), out);
    } else {
      found.layers().forEach(layer -> new StatsText(found.storedTokens(), out).print(layer));
    }
  }

  /** Returns text broken into lines; all lines after the first are indented. */
  private static List<String> folded(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ")) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(" ");
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static void printRows(List<LayerStatistics> layers, PrintWriter out) {
    out.println();
    out.println(ROW.formatted("layer", "mean norm", "max", "scale", "cosine", "unusual"));
    for (LayerStatistics layer : layers) {
      NormStatistics norms = layer.norms();
      out.println(
          ROW.formatted(
                  layer.layer(),
                  value(norms.mean()),
                  value(norms.max()),
                  value(layer.scale()),
                  value(layer.cosines().mean(), 3),
                  UnusualFigures.names(layer))
              .stripTrailing());
    }
    out.println();
    out.printf("--layers with up to %d layers prints more of each.%n", MAX_PARAGRAPHS);
  }

  private void print(LayerStatistics layer) {
    String padding = layer.padding() == 0 ? "" : ", padding " + count(layer.padding());
    out.printf("%nlayer %d: %s%s%n", layer.layer(), count(layer.vectors(), "vector"), padding);
    norms(layer.norms());
    if (layer.byToken().size() > 1) {
      byToken(layer.byToken());
    }
    if (!layer.byLabel().isEmpty()) {
      byLabel(layer);
    }
    line("scale", "%s, centered %s", value(layer.scale()), value(layer.scaleCentered()));
    cosines(layer.cosines());
    occurrences("NaN", layer.nan());
    occurrences("Inf", layer.infinite());
    occurrences("zero vectors", layer.zeroVectors());
    dims("dead dims", layer.values().dead());
    dims("dominant dims", layer.values().dominant());
    if (!none.isEmpty()) {
      line("none", String.join(", ", none));
    }
  }

  private void line(String name, String format, Object... figures) {
    out.printf("  %-14s%s%n", name, format.formatted(figures));
  }

  private void cosines(Cosines cosines) {
    if (cosines.pairs() == 0) {
      line("cosine", "no pairs");
      return;
    }
    line(
        "cosine",
        "mean %s, std %s, from %s to %s (%s)",
        value(cosines.mean(), 3),
        value(cosines.std(), 3),
        value(cosines.min(), 3),
        value(cosines.max(), 3),
        count(cosines.pairs(), "random pair"));
  }

  private void norms(NormStatistics norms) {
    line(
        "norm",
        "mean %s, RMS %s, from %s to %s",
        value(norms.mean()),
        value(norms.rms()),
        value(norms.min()),
        value(norms.max()));
    List<Bin> bins = merged(norms.histogram());
    long most = bins.stream().mapToLong(Bin::vectors).max().orElse(1);
    for (Bin bin : bins) {
      String line =
          "    %9s to %9s %13s "
              .formatted(value(bin.from()), value(bin.to()), count(bin.vectors()));
      long length = (long) Math.ceil((double) bin.vectors() / most * (WIDTH - line.length()));
      out.println((line + "#".repeat((int) Math.max(0, length))).stripTrailing());
    }
  }

  /** Returns at most {@link #MAX_BINS} bins; adjacent empty bins count as one. */
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
    int last = norms.size() - 1;
    StringBuilder line = new StringBuilder();
    for (int token = 0; token < Math.min(TOKENS, last); token++) {
      line.append("%d: %s  ".formatted(tokens.get(token), value(norms.get(token).mean(), 4)));
    }
    String dots = last > TOKENS ? "... " : "";
    line("by token", "%s%s%d: %s", line, dots, tokens.get(last), value(norms.get(last).mean(), 4));
  }

  private void byLabel(LayerStatistics layer) {
    String labels =
        layer.byLabel().entrySet().stream()
            .sorted(Comparator.comparingLong(entry -> -entry.getValue().vectors()))
            .limit(LABELS)
            .map(entry -> label(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining("  "));
    int all = layer.byLabel().size();
    line("by label", labels + (all > LABELS ? "  ... of " + count(all, "label") : ""));
  }

  private static String label(int label, MeanNorm norm) {
    return "%d: %s (%s)".formatted(label, value(norm.mean(), 4), count(norm.vectors()));
  }

  private void occurrences(String name, @Nullable Occurrence found) {
    if (found == null) {
      none.add(name);
      return;
    }
    String dim = found.dim() == null ? "" : ", dim " + found.dim();
    String first = "%s, first at example %d, token %d%s";
    line(name, first, count(found.count()), found.example(), found.token(), dim);
  }

  private void dims(String name, int[] dims) {
    if (dims.length == 0) {
      none.add(name);
    } else {
      line(name, "%s: %s", count(dims.length), first(dims, MAX_LISTED));
    }
  }
}
