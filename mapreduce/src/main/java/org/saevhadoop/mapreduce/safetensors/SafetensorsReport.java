package org.saevhadoop.mapreduce.safetensors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.index.ModelCheck;
import org.saevhadoop.mapreduce.spi.DatasetReport;
import org.saevhadoop.mapreduce.spi.ReportSink;

/**
 * Reports the properties of safetensors files.
 *
 * @param format the name of the format
 * @param sink the receiver of the report
 */
record SafetensorsReport(String format, ReportSink sink) {
  /** Reports the tensors of a file. */
  void file(Location location, HeaderStrictness strictness) throws IOException {
    try (Input file = location.folder().open(location.file())) {
      SafetensorsHeader header = SafetensorsHeader.read(file, strictness);
      sink.tensors(new HeaderListing(file, header, null, sink.wantsDigests()));
    }
  }

  /**
   * Reports the tensors of a model, file by file.
   *
   * @throws FormatException if the index and the files disagree
   */
  void model(SafetensorsModel model, HeaderStrictness strictness) throws IOException {
    ModelCheck check = ModelCheck.of(model.index(), model.folder(), strictness);
    if (!check.problems().isEmpty()) {
      throw check.problems().get(0);
    }
    sink.tensors(new ModelListing(model, strictness, sink.wantsDigests(), check.warnings()));
  }

  /** Reports a dataset, whether or not its columns are activations. */
  void dataset(TableDataset dataset, ProvenanceReader provenance) throws IOException {
    ObjectNode report =
        dataset instanceof ActivationDataset activations
            ? activations(activations, provenance)
            : table((SafetensorsTable) dataset);
    if (sink.isForPerson()) {
      report.put("attributes", dataset.attributes().isPresent());
    }
    DatasetReport.shards(report, dataset.shards(), dataset.warnings());
    sink.report(report);
  }

  private ObjectNode activations(ActivationDataset dataset, ProvenanceReader provenance)
      throws FormatException {
    Optional<DatasetIdentity> identity;
    try {
      identity = provenance.identity(dataset.activations().provenance());
    } catch (FormatException e) {
      throw DatasetError.UNSUPPORTED
          .of(dataset.folder().path(), null, e.getMessage(), null)
          .causedBy(e);
    }
    return DatasetReport.activations(
        format,
        identity.map(DatasetIdentity::protocol).orElse(null),
        identity.map(DatasetIdentity::hash).orElse(null),
        null,
        dataset.geometry());
  }

  private ObjectNode table(SafetensorsTable table) {
    ObjectNode report = JsonNodeFactory.instance.objectNode();
    report.put("format", format);
    report.put("layout", table.layout().toString());
    if (table.layout() == TensorLayout.KV) {
      report.put("separator", table.separator());
    }
    report.put("examples", table.table().examples());
    ArrayNode columns = report.putArray("columns");
    for (Column column : table.table().columns()) {
      ObjectNode entry = columns.addObject();
      entry.put("name", column.name()).put("dtype", column.dtype().numpyName());
      column.shape().forEach(entry.putArray("shape")::add);
    }
    return report;
  }
}
