package org.saevhadoop.mapreduce.saev;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.saev.SaevDataset;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.saev.metadata.SaevSelection;
import org.saevhadoop.mapreduce.spi.DatasetReport;
import org.saevhadoop.mapreduce.spi.ReportSink;

/** Reports the properties of a SAEV dataset. */
final class SaevReport {
  private SaevReport() {}

  static void describe(SaevDataset dataset, ReportSink sink) throws IOException {
    SaevMetadata metadata = dataset.metadata();
    ObjectNode report =
        DatasetReport.activations(
            "saev", metadata.protocol(), dataset.hash(), dataset.hashMatches(), dataset.geometry());
    if (sink.isForPerson()) {
      report.put("generation", metadata.generation().title());
      report.put("cls_token", metadata.clsToken());
      report.put("examples_per_shard", metadata.examplesPerShard());
      report.put("labels", dataset.hasLabels());
      report.put("attributes", dataset.attributes().isPresent());
      metadata.texts().forEach(report.putObject("metadata")::put);
    }
    selections(report, metadata.selections(), sink.isForPerson());
    DatasetReport.shards(report, dataset.listedShards(), dataset.warnings());
    sink.report(report);
  }

  /** Adds the selections by which the dataset was derived, the last one first. */
  private static void selections(
      ObjectNode report, List<SaevSelection> selections, boolean forPerson) {
    if (selections.isEmpty()) {
      return;
    }
    ArrayNode list = report.putArray("selections");
    for (SaevSelection selection : selections) {
      if (forPerson) {
        list.add(
            "layers %s; examples %s; tokens %s; of %s"
                .formatted(
                    selection.layers().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(",")),
                    text(selection.examples()),
                    text(selection.tokens()),
                    selection.parent()));
      } else {
        ObjectNode entry = list.addObject();
        selection.layers().forEach(entry.putArray("layers")::add);
        ranges(entry.putArray("examples"), selection.examples());
        ranges(entry.putArray("tokens"), selection.tokens());
        entry.put("parent", selection.parent());
      }
    }
  }

  private static String text(List<IndexRange> ranges) {
    return ranges.stream().map(IndexRange::toString).collect(Collectors.joining(","));
  }

  private static void ranges(ArrayNode list, List<IndexRange> ranges) {
    ranges.forEach(range -> list.addArray().add(range.start()).add(range.stop()));
  }
}
