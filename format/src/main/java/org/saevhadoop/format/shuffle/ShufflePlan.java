package org.saevhadoop.format.shuffle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.permutation.Permutation;
import org.saevhadoop.format.tensor.DType;

/**
 * Everything that the tasks of a shuffle must know.
 *
 * @param order the order of the rows
 * @param activations the shuffled dataset
 * @param rowsOfExample the number of rows that an example of the source has
 * @param format the form of the files in which the rows wait
 * @param side the data beside each row
 */
public record ShufflePlan(
    RowOrder order, Activations activations, int rowsOfExample, RowFormat format, SideRow side) {
  /** The name of the document in a folder of files of rows. */
  public static final String FILE = "shuffle.json";

  private static final JsonLimits LIMITS = new JsonLimits(64 << 20, 2_000_000, 64 << 20, 100);
  private static final int UNKNOWN_CLS = -1;

  /** Returns the permutation: the row at position {@code at(i)} is row i of the source. */
  public Permutation permutation() {
    return order.permutation(activations.geometry().examples());
  }

  /** Returns the form of the files with the data beside the rows. */
  public RowFormat sideFormat() {
    return side.format(format.buckets());
  }

  /**
   * Returns whether another plan has the same rows in the same order. The division into buckets and
   * chunks, which depends on the memory of tasks, may differ.
   */
  public boolean hasRowsOf(ShufflePlan other) {
    ShufflePlan formed = new ShufflePlan(order, activations, rowsOfExample, other.format, side);
    return format.rowBytes() == other.format.rowBytes()
        && format.buckets().rows() == other.format.buckets().rows()
        && formed.text().equals(other.text());
  }

  /** Returns about the length of all files of rows, without the heads of their chunks. */
  public long stagedBytes() {
    long rows = activations.geometry().examples();
    long bytes = format.rowBytes() + (long) Integer.BYTES;
    return rows * (side.bytes() > 0 ? bytes + side.bytes() + Integer.BYTES : bytes);
  }

  /** Returns the text of the document. */
  public String text() {
    ObjectNode json = Jackson.MAPPER.createObjectNode();
    json.put("order", order.text());
    Geometry geometry = activations.geometry();
    json.put("examples", geometry.examples());
    ArrayNode layers = json.putArray("layers");
    geometry.layers().forEach(layers::add);
    json.put("tokens", geometry.tokens()).put("dim", geometry.dim());
    json.put("dtype", geometry.dtype().name());
    json.put("cls", activations.clsTokens().orElse(UNKNOWN_CLS));
    activations.provenance().documents().forEach(json.putObject("provenance")::put);
    json.put("rows_of_example", rowsOfExample);
    json.put("section_rows", format.buckets().sectionRows());
    json.put("bucket_rows", format.buckets().bucketRows());
    json.put("row_bytes", format.rowBytes()).put("chunk_rows", format.chunkRows());
    json.put("coordinates", side.coordinates())
        .put("labels", side.labels())
        .put("marks", side.marks());
    return json.toString();
  }

  /** Reads the document of a folder. */
  public static ShufflePlan read(Folder folder) throws IOException {
    return parse(folder.path(FILE), LIMITS.read(folder, FILE));
  }

  /**
   * Parses the text of the document.
   *
   * @param path the path of the document, for messages
   * @throws FormatException if it is damaged
   */
  public static ShufflePlan parse(String path, byte[] text) throws IOException {
    try {
      return of(Jackson.MAPPER.readTree(text));
    } catch (IllegalArgumentException | ArithmeticException | IOException e) {
      throw DatasetError.INCOMPLETE
          .in(path, "does not describe a shuffle (expected the document of its first job)")
          .causedBy(e);
    }
  }

  private static ShufflePlan of(JsonNode json) throws IOException {
    List<Integer> layers = new ArrayList<>();
    json.path("layers").forEach(layer -> layers.add(layer.asInt()));
    long rows = json.path("examples").asLong();
    Geometry geometry =
        new Geometry(
            rows,
            layers,
            json.path("tokens").asInt(),
            json.path("dim").asInt(),
            DType.valueOf(json.path("dtype").asText()));
    SortedMap<String, String> documents = new TreeMap<>();
    JsonNode provenance = json.path("provenance");
    provenance
        .fieldNames()
        .forEachRemaining(key -> documents.put(key, provenance.path(key).asText()));
    int cls = json.path("cls").asInt();
    Buckets buckets =
        new Buckets(rows, json.path("section_rows").asLong(), json.path("bucket_rows").asInt());
    return new ShufflePlan(
        RowOrder.of(Jackson.MAPPER.readTree(json.path("order").asText())),
        new Activations(
            geometry,
            cls == UNKNOWN_CLS ? OptionalInt.empty() : OptionalInt.of(cls),
            new Provenance(documents)),
        json.path("rows_of_example").asInt(),
        new RowFormat(buckets, json.path("row_bytes").asInt(), json.path("chunk_rows").asInt()),
        new SideRow(
            json.path("coordinates").asBoolean(),
            json.path("labels").asInt(),
            json.path("marks").asInt()));
  }
}
