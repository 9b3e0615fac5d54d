package org.saevhadoop.format.parquet;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.columns.ActivationColumns;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.table.TableColumn;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.parquet.write.ArrowSchemaText;
import org.saevhadoop.format.parquet.write.ParquetWritePlan;
import org.saevhadoop.format.projection.LayerRequest;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;

/**
 * The layout of files that this project writes: a row for each vector, with its example, layer and
 * token, sorted by layer, example and token in each file; or a row for each example, with a column
 * of vectors for each layer, and lists with the data of its tokens.
 *
 * @param file the path of the file that describes the dataset
 * @param unit whether a row is a vector or an example
 * @param geometry the shape of the whole dataset; a file contains some of its examples
 * @param patches the number of labels of each example; 0 for none
 * @param tokenArrays the names of the columns that are per-token integers
 * @param hasIds whether examples have ids
 */
record RowLayout(
    String file,
    RowUnit unit,
    Geometry geometry,
    int patches,
    List<String> tokenArrays,
    boolean hasIds,
    Provenance provenance) {
  static final String EXAMPLE = "example";
  static final String LAYER = "layer";
  static final String TOKEN = "token";
  static final String VECTOR = "vector";
  static final String LABEL = "label";
  static final String ID = "id";
  static final String SAMPLE = "sample";
  static final String POSITION = "position";
  static final String WHOLE = "whole";

  /** The metadata keys that are not provenance. */
  private static final Set<String> OWN_KEYS =
      Set.of(ParquetWritePlan.SHAPE_KEY, TableColumn.VECTOR_TYPE, ArrowSchemaText.KEY);

  /** Returns whether this project wrote a file, so that its metadata describes a dataset. */
  static boolean describes(TableFooter footer) {
    return footer.metadata().containsKey(ParquetWritePlan.SHAPE_KEY);
  }

  /**
   * Returns the layout of a file; empty if another program wrote it.
   *
   * @param mappings the arrays that the user has named; if the vectors are among them, rows are not
   *     combined into examples
   */
  static Optional<RowLayout> of(TableFooter footer, List<ArrayMapping> mappings)
      throws IOException {
    String shape = footer.metadata().get(ParquetWritePlan.SHAPE_KEY);
    if (shape == null
        || mappings.stream().anyMatch(mapping -> mapping.name().match(VECTOR).isPresent())) {
      return Optional.empty();
    }
    JsonNode json =
        Jackson.readObject(
            ParquetError.BAD_PARQUET,
            footer.path(),
            () -> Jackson.MAPPER.createParser(shape),
            Jackson.MAPPER::readTree);
    RowLayout layout;
    try {
      Geometry geometry = geometry(json);
      RowUnit unit = unit(footer, geometry);
      layout =
          new RowLayout(
              footer.path(),
              unit,
              geometry,
              size(json, "patches"),
              tokenArrays(footer, unit),
              footer.columns().stream().anyMatch(own -> own.name().equals(ID) && own.isText()),
              provenance(footer));
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw ParquetError.BAD_PARQUET
          .in(
              footer.path(),
              "%s does not describe a dataset: %s (expected the shape of one)",
              ParquetWritePlan.SHAPE_KEY,
              e.getMessage())
          .causedBy(e);
    }
    layout.check(footer);
    return Optional.of(layout);
  }

  /**
   * Returns whether a file is part of this dataset. Other programs may have added documents to the
   * file.
   */
  boolean isOfSameDataset(RowLayout other) {
    return other.unit == unit
        && other.geometry.equals(geometry)
        && other.patches == patches
        && other.tokenArrays.equals(tokenArrays)
        && other.hasIds == hasIds
        && other.provenance.documents().entrySet().containsAll(provenance.documents().entrySet());
  }

  private static RowUnit unit(TableFooter footer, Geometry geometry) {
    return !has(footer, VECTOR) && has(footer, Geometry.LAYER_PREFIX + geometry.layers().get(0))
        ? RowUnit.EXAMPLE
        : RowUnit.VECTOR;
  }

  /** Returns the name of the column with the vectors of a layer. */
  String vectors(int layer) {
    return unit == RowUnit.VECTOR ? VECTOR : Geometry.LAYER_PREFIX + layer;
  }

  /** Returns whether a column has vectors. */
  boolean isVectors(TableColumn column) {
    return unit == RowUnit.VECTOR
        ? column.name().equals(VECTOR)
        : Column.isActivations(column.name());
  }

  /** Returns the number of rows of an example in a row group. */
  int exampleRows() {
    return unit == RowUnit.VECTOR ? geometry.tokens() : 1;
  }

  /** Returns the list lengths of a column that has one element for each token. */
  long[] lengths(long... ofToken) {
    return unit == RowUnit.VECTOR
        ? ofToken
        : LongStream.concat(LongStream.of(geometry.tokens()), LongStream.of(ofToken)).toArray();
  }

  private static Geometry geometry(JsonNode shape) {
    List<Integer> layers = new ArrayList<>();
    shape.path("layers").forEach(layer -> layers.add(layer.asInt()));
    JsonNode examples = shape.path("examples");
    if (!examples.canConvertToLong() || examples.asLong() < 0) {
      throw new IllegalArgumentException("no number of examples");
    }
    return new Geometry(
        examples.asLong(),
        layers,
        size(shape, "tokens"),
        size(shape, "dim"),
        DType.valueOf(shape.path("dtype").asText()));
  }

  private static int size(JsonNode shape, String field) {
    JsonNode size = shape.path(field);
    if (!size.canConvertToInt() || size.asInt() < 0) {
      throw new IllegalArgumentException("no number of " + field);
    }
    return size.asInt();
  }

  private static List<String> tokenArrays(TableFooter footer, RowUnit unit) {
    int rank = unit == RowUnit.VECTOR ? 1 : 2;
    return footer.columns().stream()
        .filter(column -> !column.isText() && column.dtype() == DType.I64 && column.rank() == rank)
        .map(TableColumn::name)
        .filter(name -> !ParquetWritePlan.COLUMNS.contains(name) && !Column.isActivations(name))
        .toList();
  }

  private static Provenance provenance(TableFooter footer) {
    Provenance provenance = Provenance.NONE;
    for (Map.Entry<String, String> text : footer.metadata().entrySet()) {
      if (!OWN_KEYS.contains(text.getKey())) {
        provenance = provenance.with(text.getKey(), text.getValue());
      }
    }
    return provenance;
  }

  private void check(TableFooter footer) throws FormatException {
    for (int layer : geometry.layers()) {
      TableColumn vector = column(footer, vectors(layer));
      ParquetError.BAD_PARQUET.check(
          vector.dtype() == geometry.dtype()
              && (isList(vector)
                  ? vector.lists() == lengths(0).length && !vector.isVector()
                  : vector.lists() == lengths().length && vector.elements() == geometry.dim()),
          footer.path(),
          "has vectors of %s in %d lists of %d values (expected %s [%d], as in %s)",
          vector.dtype(),
          vector.lists(),
          vector.elements(),
          geometry.dtype(),
          geometry.dim(),
          ParquetWritePlan.SHAPE_KEY);
    }
    ParquetError.BAD_PARQUET.check(
        patches <= geometry.tokens() && footer.rows() % rowsOfExample() == 0,
        footer.path(),
        "has %d rows and %d labels per example (expected a multiple of %d rows, at most %d labels)",
        footer.rows(),
        patches,
        rowsOfExample(),
        geometry.tokens());
  }

  /** Returns whether vectors are lists of numbers instead of bytes. */
  boolean isList(TableColumn vectors) {
    return vectors.lists() > lengths().length;
  }

  private long rowsOfExample() {
    return unit == RowUnit.VECTOR
        ? Math.multiplyExact((long) geometry.layers().size(), (long) geometry.tokens())
        : 1;
  }

  /** Returns the number of examples in a file. */
  long examples(TableFooter footer) {
    return footer.rows() / rowsOfExample();
  }

  static TableColumn column(TableFooter footer, String name) throws FormatException {
    return footer.columns().get(index(footer, name));
  }

  /** Returns the index of a column in the footer. */
  static int index(TableFooter footer, String name) throws FormatException {
    for (int i = 0; i < footer.columns().size(); i++) {
      if (footer.columns().get(i).name().equals(name)) {
        return i;
      }
    }
    throw ParquetError.BAD_PARQUET.in(
        footer.path(),
        "has no column %s (expected one, because the file has %s)",
        name,
        ParquetWritePlan.SHAPE_KEY);
  }

  static boolean has(TableFooter footer, String name) {
    return footer.columns().stream().anyMatch(column -> column.name().equals(name));
  }

  /** Returns whether the row groups of a layer contain the per-token integers. */
  boolean isFirst(int layer) {
    return geometry.layers().indexOf(layer) == 0;
  }

  /** Returns the layers whose vectors are staged for a request. */
  List<Integer> layers(ProjectionRequest request, Settings settings) {
    LayerRequest layers = request.layers();
    return layers == null || ArrayKeys.isLayout(settings) || !ArrayKeys.mappings(settings).isEmpty()
        ? geometry.layers()
        : geometry.layers().stream().filter(Set.copyOf(layers.layers())::contains).toList();
  }

  /** Returns the columns of the table, in order. */
  TableShape table(long examples) {
    return table(examples, geometry.layers());
  }

  /** Returns the columns of a table with the vectors of some layers. */
  TableShape table(long examples, List<Integer> staged) {
    List<Column> columns = new ArrayList<>();
    long tokens = geometry.tokens();
    for (int layer : geometry.layers()) {
      if (staged.contains(layer)) {
        columns.add(
            new Column(
                Geometry.LAYER_PREFIX + layer,
                geometry.dtype(),
                List.of(tokens, (long) geometry.dim())));
      }
      if (isFirst(layer) && patches > 0) {
        columns.add(new Column(Column.LABELS, DType.U8, List.of((long) patches)));
      }
      if (isFirst(layer)) {
        tokenArrays.forEach(name -> columns.add(new Column(name, DType.I64, List.of(tokens))));
      }
    }
    return new TableShape(examples, columns);
  }

  /** Returns the metadata that states the roles of the columns of the table. */
  Map<String, String> metadata() {
    Map<String, String> metadata = new HashMap<>();
    metadata.put(
        ActivationColumns.LAYERS_KEY,
        String.join(",", geometry.layers().stream().map(String::valueOf).toList()));
    if (!tokenArrays.isEmpty()) {
      metadata.put(ActivationColumns.TOKEN_ARRAYS_KEY, String.join(",", tokenArrays));
    }
    return metadata;
  }
}
