package org.saevhadoop.converters.digest;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.QuotedJson;
import org.saevhadoop.converters.source.OpenedSource;
import org.saevhadoop.converters.source.SourceRequest;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;

/** The line that identifies the values of a dataset: their digest and their shape. */
public final class DigestLine {
  private DigestLine() {}

  /** Opens a dataset, and computes the line in a job. */
  public static String of(SourceRequest request, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    try (OpenedSource source = OpenedSource.open(request, console)) {
      return of(source, console);
    }
  }

  private static String of(OpenedSource source, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    return source.dataset() instanceof ActivationDataset activations
        ? ofActivations(source, activations.geometry(), console)
        : ofColumns(source, source.spec().numbers().table(source.dataset()), console);
  }

  private static String ofActivations(OpenedSource source, Geometry geometry, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    String hex = DigestJob.run(source.spec(), source, geometry, console);
    String layers =
        geometry.layers().stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
    return "%s%s examples=%d layers=%s tokens=%d dim=%d"
        .formatted(
            DigestJob.PREFIX, hex, geometry.examples(), layers, geometry.tokens(), geometry.dim());
  }

  /** Returns the line of other columns, which are digested in the order of their names. */
  private static String ofColumns(OpenedSource source, TableShape table, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    List<Integer> places =
        IntStream.range(0, table.columns().size())
            .boxed()
            .sorted(Comparator.comparing(place -> table.columns().get(place).name()))
            .toList();
    List<Integer> numbers = places.stream().map(place -> table.numbers().get(place)).toList();
    String hex = DigestJob.run(source.spec(), source, table, numbers, console);
    String columns =
        places.stream()
            .map(place -> QuotedJson.of(table.columns().get(place).toString()))
            .collect(Collectors.joining(",", "[", "]"));
    return "%s%s examples=%d columns=%s"
        .formatted(DigestJob.PREFIX, hex, table.examples(), columns);
  }
}
