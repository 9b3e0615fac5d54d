package org.saevhadoop.format.numpy.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.tensor.DType;

/**
 * The document of a dataset of .npy files.
 *
 * @param table the shape of the dataset
 * @param parts the files, in the order of their examples
 */
public record ArraysDocument(TableShape table, List<Part> parts, Provenance provenance) {
  /** File name of the document. */
  public static final String NAME = "saev-arrays.json";

  private static final String SCHEMA = "saev-arrays 1.0";
  private static final JsonLimits LIMITS = new JsonLimits(64 << 20, 2_000_000, 16 << 20, 100);

  /**
   * The files of some consecutive examples.
   *
   * @param files the file of each column
   * @param labels the file of the labels; null for none
   * @param tokens the files of the per-token integers, by the names of the arrays
   */
  public record Part(
      long examples, List<String> files, @Nullable String labels, Map<String, String> tokens) {
    public Part {
      files = List.copyOf(files);
      tokens = Collections.unmodifiableMap(new LinkedHashMap<>(tokens));
    }

    /** Returns all files: columns, labels, and per-token integers. */
    List<String> all() {
      List<String> all = new ArrayList<>(files);
      Optional.ofNullable(labels).ifPresent(all::add);
      all.addAll(tokens.values());
      return all;
    }
  }

  public ArraysDocument {
    parts = List.copyOf(parts);
  }

  /** Returns the names of all data files. */
  public List<String> files() {
    List<String> files = new ArrayList<>();
    for (Part part : parts) {
      files.addAll(part.all());
    }
    return files;
  }

  byte[] text() throws IOException {
    ObjectNode root = Jackson.MAPPER.createObjectNode();
    root.put("schema", SCHEMA);
    root.put("examples", table.examples());
    ArrayNode columns = root.putArray("columns");
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      ObjectNode node = columns.addObject().put("name", column.name());
      if (table.isLayer(i)) {
        node.put("layer", table.columnIds().get(i));
      }
      node.put("dtype", column.dtype().name());
      NumpyType.of(column.dtype()).ifPresent(type -> node.put("descr", type.descr()));
      ArrayNode shape = node.putArray("shape");
      column.shape().forEach(shape::add);
    }
    ArrayNode list = root.putArray("parts");
    for (Part part : parts) {
      ObjectNode node = list.addObject().put("examples", part.examples);
      ArrayNode files = node.putArray("files");
      part.files.forEach(files::add);
      if (part.labels != null) {
        node.put("labels", part.labels);
      }
      if (!part.tokens.isEmpty()) {
        part.tokens.forEach(node.putObject("token_arrays")::put);
      }
    }
    ObjectNode documents = root.putObject("provenance");
    provenance.documents().forEach(documents::put);
    return Jackson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(root);
  }

  /**
   * Reads the document of a folder.
   *
   * @throws FormatException {@link NpyError#BAD_DESCRIPTION} if the document does not describe a
   *     dataset
   */
  public static ArraysDocument read(Folder folder) throws IOException {
    String path = folder.path(NAME);
    byte[] text = LIMITS.read(folder, NAME);
    JsonNode root =
        Jackson.readObject(
            NpyError.BAD_DESCRIPTION,
            path,
            () -> Jackson.MAPPER.createParser(text),
            Jackson.MAPPER::readTree);
    String schema = root.path("schema").asText();
    NpyError.BAD_DESCRIPTION.check(
        schema.equals(SCHEMA), path, "has the schema \"%s\" (expected \"%s\")", schema, SCHEMA);
    return new Reading(path).document(root);
  }

  private record Reading(String path) {
    ArraysDocument document(JsonNode root) throws FormatException {
      List<Column> columns = new ArrayList<>();
      List<Integer> ids = new ArrayList<>();
      for (JsonNode column : list(root, "columns")) {
        ids.add(column.path("layer").asInt(columns.size()));
        columns.add(column(column));
      }
      List<Part> parts = new ArrayList<>();
      long examples = 0;
      for (JsonNode part : list(root, "parts")) {
        parts.add(part(part, columns.size()));
        examples += parts.get(parts.size() - 1).examples;
      }
      check(examples == size(root.get("examples")), "examples, the sum over all parts");
      SortedMap<String, String> documents = new TreeMap<>();
      JsonNode provenance = root.path("provenance");
      provenance
          .fieldNames()
          .forEachRemaining(key -> documents.put(key, provenance.path(key).asText()));
      try {
        return new ArraysDocument(
            new TableShape(examples, columns, ids), parts, new Provenance(documents));
      } catch (ArithmeticException | IllegalArgumentException e) {
        throw bad("columns with a dtype, a shape and a layer each").causedBy(e);
      }
    }

    private Column column(JsonNode column) throws FormatException {
      List<Long> shape = new ArrayList<>();
      for (JsonNode item : list(column, "shape")) {
        shape.add(size(item));
      }
      try {
        return new Column(
            text(column.get("name")), DType.valueOf(text(column.get("dtype"))), shape);
      } catch (ArithmeticException | IllegalArgumentException e) {
        throw bad("columns with a dtype, a shape and a layer each").causedBy(e);
      }
    }

    private Part part(JsonNode part, int columns) throws FormatException {
      List<String> files = new ArrayList<>();
      for (JsonNode item : list(part, "files")) {
        files.add(file(item));
      }
      check(files.size() == columns && columns > 0, "files, one for each column");
      JsonNode labels = part.get("labels");
      Map<String, String> tokens = new LinkedHashMap<>();
      JsonNode arrays = part.path("token_arrays");
      Iterator<String> names = arrays.fieldNames();
      while (names.hasNext()) {
        String name = names.next();
        tokens.put(name, file(arrays.get(name)));
      }
      return new Part(
          size(part.get("examples")), files, labels == null ? null : file(labels), tokens);
    }

    private String file(JsonNode node) throws FormatException {
      String name = text(node);
      check(
          name.endsWith(NpyWritePlan.SUFFIX)
              && name.indexOf('/') < 0
              && name.indexOf('\\') < 0
              && !name.startsWith("."),
          "files, plain names of .npy files");
      return name;
    }

    private JsonNode list(JsonNode parent, String name) throws FormatException {
      JsonNode list = parent.path(name);
      check(list.isArray(), name + ", a list");
      return list;
    }

    private String text(@Nullable JsonNode node) throws FormatException {
      return Optional.ofNullable(node)
          .filter(JsonNode::isTextual)
          .map(JsonNode::textValue)
          .orElseThrow(() -> bad("name, dtype and files, each a string"));
    }

    private long size(@Nullable JsonNode node) throws FormatException {
      return Optional.ofNullable(node)
          .filter(number -> number.isIntegralNumber() && number.canConvertToLong())
          .map(JsonNode::longValue)
          .filter(size -> size >= 0)
          .orElseThrow(() -> bad("examples and shape, each of sizes from 0 to 2^63 - 1"));
    }

    private void check(boolean holds, String expected) throws FormatException {
      if (!holds) {
        throw bad(expected);
      }
    }

    private FormatException bad(String expected) {
      return NpyError.BAD_DESCRIPTION.in(path, "has an invalid field (expected %s)", expected);
    }
  }
}
