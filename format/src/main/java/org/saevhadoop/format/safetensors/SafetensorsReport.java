package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.index.ModelCheck;
import org.saevhadoop.format.spi.DatasetReport;
import org.saevhadoop.format.spi.ReportSink;

/** Reports the properties of safetensors files. */
record SafetensorsReport(String format, ReportSink sink, SafetensorsReading reading) {
  /**
   * Maximum length, in bytes, of a header that is read again to find the shape; the header is held
   * in memory.
   */
  static final int MAX_HEADER = 4 << 20;

  /** Reports the tensors of a file, with their shape if they are activations. */
  void file(Location location) throws IOException {
    try (Input file = location.folder().open(location.file())) {
      SafetensorsHeader header = SafetensorsHeader.read(file, reading.strictness());
      Geometry shape = header.dataStart() > MAX_HEADER ? null : shape(location);
      sink.tensors(new HeaderListing(file, header, shape, null, sink.wantsDigests()));
    }
  }

  private @Nullable Geometry shape(Location location) throws IOException {
    try {
      return reading.open(location).requireActivations().geometry();
    } catch (FormatException e) {
      return null; // the tensors of any file can be listed
    }
  }

  /**
   * Reports the tensors of a model, file by file.
   *
   * @throws FormatException if the index and the files disagree
   */
  void model(SafetensorsModel model) throws IOException {
    ModelCheck check = ModelCheck.of(model.index(), model.folder(), reading.strictness());
    if (!check.problems().isEmpty()) {
      throw check.problems().get(0);
    }
    sink.tensors(
        new ModelListing(model, reading.strictness(), sink.wantsDigests(), check.warnings()));
  }

  /** Reports a dataset, whether or not its columns are activations. */
  void dataset(TableDataset dataset) throws IOException {
    DatasetReport report =
        dataset instanceof ActivationDataset activations
            ? activations(activations)
            : table((SafetensorsTable) dataset);
    if (sink.isForPerson()) {
      report.put("sample_metadata", dataset.sampleMetadata().isPresent());
    }
    TableShape table = dataset.table();
    report.sizes(dataset.shards().list(), table.examples() * table.exampleBytes());
    sink.report(report.shards(dataset.shards().list(), dataset.warnings()));
  }

  private DatasetReport activations(ActivationDataset dataset) throws FormatException {
    Optional<DatasetIdentity> identity;
    try {
      identity = reading.provenance().identity(dataset.activations().provenance());
    } catch (FormatException e) {
      throw DatasetError.UNSUPPORTED
          .of(dataset.path(), null, String.valueOf(e.getMessage()), null)
          .causedBy(e);
    }
    return new DatasetReport()
        .put("format", format)
        .put("protocol", identity.map(DatasetIdentity::protocol).orElse(null))
        .put("hash", identity.map(DatasetIdentity::hash).orElse(null))
        .shape(dataset.geometry(), dataset.geometry().dtype().name())
        .layerNames(dataset)
        .tokenArrays(dataset)
        .normalization(dataset.activations().provenance());
  }

  private DatasetReport table(SafetensorsTable table) {
    DatasetReport report =
        new DatasetReport().put("format", format).put("layout", table.layout().toString());
    if (table.layout() == TensorLayout.KV) {
      report.put("separator", table.separator());
    }
    return report
        .put("examples", table.table().examples())
        .put("columns", table.table().columns().stream().map(SafetensorsReport::entry).toList());
  }

  private static DatasetReport entry(Column column) {
    return new DatasetReport()
        .put("name", column.name())
        .put("dtype", column.dtype().numpyName())
        .put("stored_dtype", column.dtype().name())
        .put("shape", column.shape());
  }
}
