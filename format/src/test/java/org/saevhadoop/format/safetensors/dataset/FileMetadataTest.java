package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Tail;
import org.saevhadoop.format.safetensors.header.AnyTables;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.tensor.DType;

class FileMetadataTest {
  private static final Geometry GEOMETRY = new Geometry(5, List.of(9, 10), 4, 2);
  private static final Provenance DOCUMENTS =
      Provenance.NONE.with("saev.metadata", "{}").with("saev.other", "text");

  @TempDir Path folder;

  @Test
  void everyDocumentIsAnEntryAndComesBackWithoutTheEntriesOfThisPackage() {
    Map<String, String> metadata =
        new TreeMap<>(FileMetadata.of(DOCUMENTS, GEOMETRY.table(), Columns.LAYERS, 2));
    assertThat(metadata)
        .containsOnlyKeys(
            "saev.metadata", "saev.other", "saev.layers", "saev.first_example", "saev.examples");
    metadata.put("saev.padding", "1");
    metadata.put("saev.layout", "kv");
    metadata.put("saev.separator", "__");
    metadata.put("format", "pt");
    assertThat(FileMetadata.provenance(metadata)).isEqualTo(DOCUMENTS);
  }

  @Test
  void filesKeepTheNamesThatEarlierReleasesGaveThem() {
    assertThat(FileMetadata.identity(Provenance.NONE))
        .isEqualTo("Provenance[saevMetadata=null, saevDirectory=null]");
    assertThat(
            FileMetadata.identity(
                Provenance.NONE.with("saev.metadata", "{}").with("saev.directory", "ab")))
        .isEqualTo("Provenance[saevMetadata={}, saevDirectory=ab]");
    assertThat(FileMetadata.identity(DOCUMENTS))
        .isNotEqualTo(FileMetadata.identity(DOCUMENTS.without("saev.other")));
    assertThat(FileMetadata.identity(GEOMETRY.table()))
        .isEqualTo(
            "TableShape[examples=5, columns=[layer_9 F32[4, 2], layer_10 F32[4, 2]],"
                + " numbers=[9, 10]]");
  }

  @Test
  void aReaderOfTheDocumentsReportsWhetherThereIsACls() throws IOException {
    write();
    ProvenanceReader reader = found -> OptionalInt.of(found.equals(DOCUMENTS) ? 1 : 0);
    assertThat(open(reader).activations().clsTokens()).hasValue(1);
    assertThat(open(ProvenanceReader.NONE).activations().clsTokens()).isEmpty();
  }

  @Test
  void aDocumentThatCannotBeReadIsAWarningAndNoClsIsKnown() throws IOException {
    write();
    SafetensorsDataset dataset =
        open(
            provenance -> {
              throw DatasetError.UNSUPPORTED.in("saev.metadata", "is broken");
            });
    assertThat(dataset.activations().clsTokens()).isEmpty();
    assertThat(dataset.warnings())
        .containsExactly("it is not known whether token 0 is [CLS]: saev.metadata: is broken");
  }

  @Test
  void aTableIsActivationsByItsOwnOptionsOrReportsWhyNot() throws IOException {
    write();
    SafetensorsTable layers =
        SafetensorsTable.open(new LocalFolder(folder), options(found -> OptionalInt.of(1)));
    assertThat(layers.requireActivations().activations().clsTokens()).hasValue(1);
    TableShape other = new TableShape(3, List.of(new Column("x", DType.F32, List.of(2L))));
    Path others = Files.createDirectory(folder.resolve("others"));
    AnyTables.write(
        WrittenBatches.plan(other, Columns.LAYERS, 3, Tail.WRITE, 8, Provenance.NONE, null),
        new LocalFolder(others),
        folder);
    SafetensorsTable table =
        SafetensorsTable.open(new LocalFolder(others), SafetensorsOptions.NONE);
    assertFails(
        DatasetError.NO_ACTIVATIONS,
        others.resolve(table.shards().get(0).name()),
        table::requireActivations);
  }

  @Test
  void onlyTheColumnsThatAreReadAreExpectedToBeRead() throws IOException {
    write();
    SafetensorsDataset dataset = open(ProvenanceReader.NONE);
    Shard first = dataset.shards().get(0);
    long dataStart = first.bytes() - first.examples() * GEOMETRY.exampleBytes();
    assertThat(dataset.expectedRanges(0, 1, 1, List.of(1)))
        .singleElement()
        .satisfies(
            range -> {
              assertThat(range.length()).isEqualTo(GEOMETRY.blockBytes());
              // the reference sorts by name: layer_10 comes before layer_9
              assertThat(range.offset()).isEqualTo(dataStart + GEOMETRY.blockBytes());
            });
    assertThat(dataset.expectedRanges(0, 1, 1, List.of(0, 1))).hasSize(2);
  }

  private void write() throws IOException {
    InventedFiles.write(
        WrittenBatches.plan(GEOMETRY, Columns.LAYERS, 2, DOCUMENTS), new LocalFolder(folder));
  }

  private SafetensorsDataset open(ProvenanceReader reader) throws IOException {
    SafetensorsOptions options = options(reader);
    return SafetensorsDataset.of(SafetensorsTable.open(new LocalFolder(folder), options), options);
  }

  private static SafetensorsOptions options(ProvenanceReader reader) {
    return new SafetensorsOptions(null, null, HeaderStrictness.STRICT, List.of(), reader, null);
  }
}
