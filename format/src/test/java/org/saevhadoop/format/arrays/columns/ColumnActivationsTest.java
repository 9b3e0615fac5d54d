package org.saevhadoop.format.arrays.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;

/** Activations in the columns of a table that belongs to no format. */
class ColumnActivationsTest {
  private static final int EXAMPLES = 5;
  private static final int TOKENS = 3;

  /** Columns layer_7, layer_2 and layer_9, of [3, 2] each, in files of 2, 2 and 1 examples. */
  private static final Geometry TABLE = new Geometry(EXAMPLES, List.of(7, 2, 9), TOKENS, 2);

  private static final Provenance DOCUMENTS = Provenance.NONE.with("saev.x", "y");

  private final List<String> warnings = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void layersAreReadFromTheColumnsThatMappingsName(boolean byColumn) throws IOException {
    InventedDataset table = new InventedDataset(TABLE, byColumn, 2);
    ColumnActivations found = open(table, byColumn);
    assertThat(found.geometry()).isEqualTo(new Geometry(EXAMPLES, List.of(1, 4), TOKENS, 2));
    assertThat(warnings)
        .containsExactly("tensors that --tensor does not name are not read: [layer_2]");
    RecordSelection blocks = RecordSelection.blocks(new BlockOrder(false, List.of(0, 1)), EXAMPLES);
    try (BlockCursor cursor = new BlockCursor(found, blocks, 0, EXAMPLES)) {
      for (int example = 0; example < EXAMPLES; example++) {
        for (int column : new int[] {2, 0}) {
          assertThat(cursor.next()).isTrue();
          assertThat(cursor.bytes()).isEqualTo(block(table, example, column));
        }
      }
      assertThat(cursor.next()).isFalse();
    }
  }

  @Test
  void layersOfColumnsThatAreStoredOneAfterAnotherAreInTheOrderOfTheColumns() throws IOException {
    assertThat(open(new InventedDataset(TABLE, true, 2), true).storageOrder())
        .isEqualTo(new BlockOrder(true, List.of(1, 0)));
    assertThat(open(new InventedDataset(TABLE, false, 2), false).storageOrder())
        .isEqualTo(new BlockOrder(false, List.of(0, 1)));
  }

  @Test
  void aDocumentThatCannotBeReadIsAWarningAndTheRestIsRead() throws IOException {
    FormatException malformed = DatasetError.INCOMPLETE.in("x", "is malformed");
    Activations found =
        columns(new InventedDataset(TABLE, true, 2), List.of())
            .activations(DOCUMENTS, reader(malformed), warnings::add);
    Geometry byNumber = new Geometry(EXAMPLES, List.of(2, 7, 9), TOKENS, 2);
    assertThat(found).isEqualTo(new Activations(byNumber, OptionalInt.empty(), DOCUMENTS));
    assertThat(warnings)
        .containsExactly("it is not known whether token 0 is [CLS]: " + malformed.getMessage());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void labelsAreReadFromAColumnAcrossFiles(boolean byColumn) throws IOException {
    InventedDataset table = new InventedDataset(TABLE, byColumn, 2);
    int column = 1;
    try (PatchLabels labels = new ColumnLabels(table, column)) {
      assertThat(labels.patches()).isEqualTo(TABLE.blockBytes());
      ByteBuffer read = ByteBuffer.allocate(4 * labels.patches());
      labels.read(1, read);
      ByteBuffer expected = ByteBuffer.allocate(read.capacity());
      for (int example = 1; example < EXAMPLES; example++) {
        expected.put(block(table, example, column));
      }
      assertThat(read.flip()).isEqualTo(expected.flip());
    }
  }

  @Test
  void aTableWithoutColumnOfLabelsHasNone() throws IOException {
    ColumnActivations found = open(new InventedDataset(TABLE, true, 2), true);
    assertThat(found.hasLabels()).isFalse();
    assertThatThrownBy(found::openLabels)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("invented: has no labels");
  }

  private ColumnActivations open(InventedDataset table, boolean byColumn) throws IOException {
    ActivationColumns columns =
        columns(
            table,
            List.of("layer_9=example,layer:1,token,dim", "layer_7=example,layer:4,token,dim"));
    Activations activations = columns.activations(DOCUMENTS, ProvenanceReader.NONE, warnings::add);
    return new ColumnActivations(
        table, columns, activations, () -> columns.storageOrder(byColumn), warnings);
  }

  private static ActivationColumns columns(InventedDataset table, List<String> mappings)
      throws IOException {
    return ActivationColumns.of(
        "shard0", table.table(), Map.of(), mappings.stream().map(ArrayMapping::parse).toList());
  }

  private static ProvenanceReader reader(FormatException malformed) {
    return provenance -> {
      throw malformed;
    };
  }

  private static ByteBuffer block(InventedDataset table, int example, int column) {
    ByteBuffer block = ByteBuffer.allocate((int) TABLE.blockBytes());
    for (int token = 0; token < TOKENS; token++) {
      block.put(table.vector(example, column, token));
    }
    return block.flip();
  }
}
