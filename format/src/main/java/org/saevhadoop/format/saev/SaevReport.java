package org.saevhadoop.format.saev;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.saev.directory.SaevDataset;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.saev.metadata.SaevSelection;
import org.saevhadoop.format.spi.DatasetReport;
import org.saevhadoop.format.spi.ReportSink;

/** Reports the properties of a SAEV dataset. */
final class SaevReport {
  private SaevReport() {}

  static void describe(SaevDataset dataset, ReportSink sink) throws IOException {
    SaevMetadata metadata = dataset.metadata();
    DatasetReport report =
        new DatasetReport()
            .put("format", SaevFormat.NAME)
            .put("protocol", metadata.protocol())
            .put("hash", dataset.hash())
            .put("hash_matches", dataset.hashMatches())
            .shape(dataset.geometry(), null)
            .normalization(dataset.activations().provenance())
            .sizes(
                dataset.listedShards(),
                dataset.geometry().examples() * dataset.geometry().exampleBytes());
    if (sink.isForPerson()) {
      DatasetReport texts = new DatasetReport();
      metadata.texts().forEach(texts::put);
      report
          .put("generation", metadata.generation().title())
          .put("cls_token", metadata.clsToken())
          .put("examples_per_shard", metadata.examplesPerShard())
          .put("labels", dataset.hasLabels())
          .put("sample_metadata", dataset.sampleMetadata().isPresent())
          .put("metadata", texts);
    }
    if (!metadata.selections().isEmpty()) {
      boolean asText = sink.isForPerson();
      report.put(
          "selections",
          metadata.selections().stream().map(s -> asText ? text(s) : entry(s)).toList());
    }
    sink.report(report.shards(dataset.listedShards(), dataset.warnings()));
  }

  /** Returns a description of a selection by which the dataset was derived. */
  private static Object text(SaevSelection selection) {
    return "layers %s; examples %s; tokens %s; of %s"
        .formatted(
            selection.layers().stream().map(String::valueOf).collect(Collectors.joining(",")),
            text(selection.examples()),
            text(selection.tokens()),
            selection.parent());
  }

  private static String text(List<IndexRange> ranges) {
    return ranges.stream().map(IndexRange::toString).collect(Collectors.joining(","));
  }

  private static Object entry(SaevSelection selection) {
    return new DatasetReport()
        .put("layers", selection.layers())
        .put("examples", bounds(selection.examples()))
        .put("tokens", bounds(selection.tokens()))
        .put("parent", selection.parent());
  }

  private static List<List<Long>> bounds(List<IndexRange> ranges) {
    return ranges.stream().map(range -> List.of(range.start(), range.stop())).toList();
  }
}
