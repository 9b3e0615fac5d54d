package org.saevhadoop.format.parquet;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.parquet.ParquetWriteKeys.VectorType;
import org.saevhadoop.format.parquet.file.PageCodec;
import org.saevhadoop.format.parquet.table.TableColumn;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.parquet.write.PageCompression;
import org.saevhadoop.format.spi.DatasetReport;

/** Reports the properties of a dataset in the {@link RowLayout}, collected from its footers. */
final class RowReport implements BiConsumer<TableFooter, RowLayout> {
  /** Maximum length of a document in human-readable output. */
  private static final int MAX_SHOWN = 100;

  private final List<ArrayFiles.Found> files;
  private final Set<String> units = new TreeSet<>();
  private final Set<String> vectorTypes = new TreeSet<>();
  private final Set<String> codecs = new TreeSet<>();
  private boolean hasFooters;
  private boolean hasSamples;
  private long rowGroups;

  RowReport(List<ArrayFiles.Found> files) {
    this.files = files;
  }

  @Override
  public void accept(TableFooter footer, RowLayout layout) {
    hasFooters = true;
    rowGroups += footer.rowGroups().size();
    units.add(text(layout.unit()));
    for (int i = 0; i < footer.columns().size(); i++) {
      TableColumn column = footer.columns().get(i);
      if (layout.isVectors(column)) {
        vectorTypes.add(text(layout.isList(column) ? VectorType.LIST : VectorType.BITS));
        int vector = i;
        footer.rowGroups().forEach(group -> codecs.add(codec(group.chunks().get(vector).codec())));
      }
    }
    hasSamples |= RowLayout.has(footer, RowLayout.SAMPLE);
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name of a codec in the option {@code --codec}, if there is one. */
  private static String codec(PageCodec codec) {
    return text(codec == PageCodec.UNCOMPRESSED ? PageCompression.NONE : codec);
  }

  /** Returns whether no file has the layout. */
  boolean isEmpty() {
    return !hasFooters;
  }

  /**
   * Returns the properties of the dataset.
   *
   * @param asText whether documents are shortened for display
   */
  DatasetReport of(
      ParquetFormat format, ActivationDataset dataset, ProvenanceReader reader, boolean asText) {
    Provenance provenance = dataset.activations().provenance();
    Optional<DatasetIdentity> identity = identity(provenance, reader);
    Geometry geometry = dataset.geometry();
    OptionalInt cls = dataset.activations().clsTokens();
    DatasetReport documents = new DatasetReport();
    provenance
        .documents()
        .forEach((key, text) -> documents.put(key, asText ? Quote.show(text, MAX_SHOWN) : text));
    return new DatasetReport()
        .put("format", format.name())
        .put("protocol", identity.map(DatasetIdentity::protocol).orElse(null))
        .put("hash", identity.map(DatasetIdentity::hash).orElse(null))
        .shape(geometry, null)
        .put("unit", String.join(", ", units))
        .put("vector_type", String.join(", ", vectorTypes))
        .put("codec", codecs.isEmpty() ? null : String.join(", ", codecs))
        .put("row_groups", rowGroups)
        .layerNames(dataset)
        .tokenArrays(dataset)
        .put("cls_token", cls.isPresent() ? cls.getAsInt() == 1 : null)
        .put("labels", dataset.hasLabels())
        .put("sample_metadata", hasSamples)
        .normalization(provenance)
        .put("metadata", provenance.documents().isEmpty() ? null : documents)
        .sizes(shards(dataset), geometry.examples() * geometry.exampleBytes())
        .shards(shards(dataset), dataset.warnings());
  }

  private static Optional<DatasetIdentity> identity(
      Provenance provenance, ProvenanceReader reader) {
    try {
      return reader.identity(provenance);
    } catch (FormatException e) {
      return Optional.empty(); // reported by a warning of the dataset
    }
  }

  /** Returns the files with their lengths, which staged row groups do not have. */
  private List<Shard> shards(ActivationDataset dataset) {
    Map<String, Long> lengths =
        files.stream().collect(Collectors.toMap(ArrayFiles.Found::path, ArrayFiles.Found::bytes));
    return dataset.shards().list().stream()
        .map(own -> new Shard(own.name(), own.first(), own.examples(), length(lengths, own)))
        .toList();
  }

  private static long length(Map<String, Long> lengths, Shard shard) {
    return lengths.getOrDefault(shard.name(), shard.bytes());
  }
}
