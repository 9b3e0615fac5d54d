package org.saevhadoop.converters.merge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.combined.CombinationError;
import org.saevhadoop.jobs.merge.MergeError;

/** Conflicts of sources, which a merge lists all at once before it writes anything. */
class MergeConflictsTest extends ConvertedDatasets {
  /** The kind of each conflict that is expected, its source, and a part of its message. */
  private record Expected(String kind, Path source, String message) {
    boolean isShownAs(JsonNode error) {
      String expectation = error.has("expected") ? error.get("expected").asText() : "";
      String text = "%s (expected %s)".formatted(error.get("message").asText(), expectation);
      return error.get("kind").asText().equals(kind)
          && error.get("path").asText().startsWith(source.toString())
          && text.contains(message);
    }

    boolean isIn(String line) {
      return line.startsWith("warning: " + source) && line.contains(message);
    }
  }

  private static final NaiveActivations DESCRIBED =
      new NaiveActivations(6, List.of(1, 3), 5, 16, true, true);

  private final List<Expected> expected = new ArrayList<>();

  private Path naive(String name, List<Integer> layers, int tokens, int dim, boolean cls)
      throws IOException {
    return new NaiveActivations(4, layers, tokens, dim, cls, false)
        .writeSaev(folder.resolve("saev_" + name));
  }

  private Path npy(String name, List<Integer> layers, int tokens, int dim, String options)
      throws IOException {
    return convert(naive(name, layers, tokens, dim, true), name, "npy " + options);
  }

  private Path npy(String name) throws IOException {
    return npy(name, List.of(1, 3), 5, 16, "");
  }

  private void conflict(String kind, Path source, String message) {
    expected.add(new Expected(kind, source, message));
  }

  private static Path edit(Path file, String key, String value) throws IOException {
    ObjectNode document = (ObjectNode) Fixtures.json(file);
    ((ObjectNode) document.get("extraction_config")).put(key, value);
    new ObjectMapper().writeValue(file.toFile(), document);
    return file;
  }

  private static void shorten(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 8));
  }

  private static Path file(Path dataset, String suffix) throws IOException {
    return dataset.resolve(
        files(dataset).stream().filter(name -> name.endsWith(suffix)).findFirst().orElseThrow());
  }

  private void pathsWithoutDataset() throws IOException {
    conflict("NOT_FOUND", folder.resolve("missing"), "no such file or directory");
    Path written = folder.resolve("written");
    Files.createDirectory(folder.resolve("_written.saev-hadoop"));
    conflict(
        "NOT_FOUND",
        written,
        "writing it, or was interrupted: its command, with --resume, continues it");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    conflict("UNKNOWN_FORMAT", empty, "is empty (expected");
    Path nested = Files.createDirectory(folder.resolve("nested"));
    npy("nested/one");
    npy("nested/two");
    conflict("UNKNOWN_FORMAT", nested, "contains 2 datasets, but is not one itself");
  }

  private void damagedSources() throws IOException {
    Path unlisted = npy("unlisted");
    Files.delete(file(unlisted, ".npy"));
    conflict("INCOMPLETE", unlisted, "is missing (expected all files that saev-arrays.json");
    Path shortened = npy("shortened");
    shorten(file(shortened, ".npy"));
    conflict("TRUNCATED", shortened, "(expected 1408 bytes or more");
    Path other = npy("replaced");
    Files.writeString(file(other, ".npy"), "P6 no array");
    conflict("NOT_NPY", other, "is not a .npy file");
    Path unreadable = npy("unreadable");
    Files.writeString(unreadable.resolve("saev-arrays.json"), "{");
    conflict("BAD_DESCRIPTION", unreadable, "not JSON");
  }

  private void otherVectors() throws IOException {
    conflict(
        "COLUMNS_DIFFER",
        npy("fewer", List.of(1), 5, 16, ""),
        "no layer 3 among layer 1 (expected layer 1, layer 3, as in");
    conflict("COLUMNS_DIFFER", npy("more", List.of(1, 3, 5), 5, 16, ""), "has layer 5 among");
    conflict(
        "SHAPES_DIFFER",
        npy("tokens", List.of(1, 3), 4, 16, ""),
        "has 4 tokens of dim 16 (expected 5 tokens of dim 16, as in");
    conflict(
        "SHAPES_DIFFER",
        npy("dim", List.of(1, 3), 5, 8, ""),
        "has 5 tokens of dim 8 (expected 5 tokens of dim 16, as in");
    conflict(
        "TYPES_DIFFER",
        npy("type", List.of(1, 3), 5, 16, "--dtype i64"),
        "as I64 (expected a type that one type holds exactly together with");
    Path cls = convert(naive("cls", List.of(1, 3), 5, 16, false), "cls", "npy");
    conflict("CLS_DIFFERS", cls, "has 0 [CLS] tokens per example (expected 1, as in");
    Path figures = folder.resolve("figures.safetensors");
    Path plain = npy("plain");
    Cli.run("stats", plain, "--to-safetensors", figures).succeeds();
    Path scaled = convert(plain, "scaled", "npy --normalize-by scale --normalize " + figures);
    conflict("NORMALIZATION_DIFFERS", scaled, "has vectors that are normalized by");
  }

  private void otherFormats() throws IOException {
    Path tensors = convert(npy("one"), "tensors", "safetensors");
    conflict("FORMATS_DIFFER", tensors, "is a dataset in safetensors format (expected npy, like");
    Path columns = folder.resolve("columns.safetensors");
    Map<String, Found> values = new LinkedHashMap<>();
    values.put(
        "acts", Found.of("F32", List.of(2L, 3L, 1L, 1L), NaiveTensors.floats(1, 2, 3, 4, 5, 6)));
    values.put("x", Found.of("F32", List.of(2L), NaiveTensors.floats(1, 2)));
    NaiveTensors.write(columns, values);
    conflict("KINDS_DIFFER", columns, "(expected activations of layer 1, layer 3");
    conflict("FORMATS_DIFFER", columns, "is a dataset in safetensors format (expected npy, like");
    Path saev = naive("short", List.of(1, 3), 5, 16, true);
    shorten(file(saev, ".bin"));
    conflict("FORMATS_DIFFER", saev, "is a dataset in saev format (expected npy, like");
    conflict("BAD_SHARD", saev, "too short for its 2 examples");
  }

  private Path pickle(String name, int dim) throws IOException {
    Path source = naive(name, List.of(1, 3), 5, dim, true);
    Path written = convert(source, name, "pickle --uncompressed");
    conflict("FORMATS_DIFFER", written, "is a dataset in pickle format (expected npy, like");
    return written;
  }

  private void pickledShards() throws IOException {
    pickle("first_pickle", 16);
    Path model = pickle("model", 16);
    edit(model.resolve("metadata.json"), "model_name", "another");
    conflict("CONFIG_DIFFERS", model, "has extraction_config.model_name \"another\"");
    Path split = pickle("split", 16);
    edit(split.resolve("metadata.json"), "dataset_split", "test");
    conflict("CONFIG_DIFFERS", split, "has extraction_config.dataset_split \"test\"");
    Path layers = convert(folder.resolve("first_pickle"), "layer", "pickle --layers 1");
    conflict("FORMATS_DIFFER", layers, "is a dataset in pickle format");
    conflict("CONFIG_DIFFERS", layers, "has the layers [1] (expected [1, 3], as in");
    Path lost = pickle("lost", 16);
    Files.delete(file(lost, ".pkl"));
    Files.copy(file(model, ".pkl"), lost.resolve("shard_0007.pkl"));
    conflict("COUNT_MISMATCH", lost, "is listed but does not exist");
    Path cut = pickle("cut", 16);
    shorten(file(cut, ".pkl"));
    conflict("SIZE_MISMATCH", cut, "its size_bytes in metadata.json");
    Path document = pickle("document", 16);
    Files.writeString(document.resolve("metadata.json"), "{");
    conflict("BAD_METADATA", document, "not JSON");
    Path other = pickle("other", 16);
    Files.writeString(file(other, ".pkl"), "P6 no pickle");
    conflict("TRUNCATED", other, "the pickle ends at byte 12");
    Path width = pickle("width", 8);
    Files.delete(width.resolve("metadata.json"));
    conflict("MIXED_SHAPES", width, "has vectors of width 8 (expected 16, as in");
  }

  @Test
  void oneListingHasTwentyFiveKindsOfConflicts() throws IOException {
    Path first = npy("first");
    pathsWithoutDataset();
    damagedSources();
    otherVectors();
    otherFormats();
    pickledShards();
    Path out = first.resolve("out");
    List<Path> sources = new ArrayList<>(List.of(first));
    expected.stream().map(Expected::source).distinct().forEach(sources::add);
    conflict("OVERLAP", out, "overlaps with " + first);
    assertThat(expected.stream().map(Expected::message).distinct()).hasSizeGreaterThan(25);
    List<String> before = files(folder);
    for (String options : List.of("--json", "--json --dry-run")) {
      Cli cli = Cli.run("merge", sources, out, options.split(" "));
      cli.failsWithText(MergeError.CONFLICTS, "have %d conflicts".formatted(expected.size()));
      JsonNode found = cli.json().get("error").get("conflicts");
      assertThat(found).hasSize(expected.size());
      List<String> lines = cli.stderr().lines().toList();
      for (Expected conflict : expected) {
        assertThat(found).as(conflict.toString()).anyMatch(conflict::isShownAs);
        assertThat(lines).as(conflict.toString()).anyMatch(conflict::isIn);
      }
    }
    assertThat(files(folder)).isEqualTo(before);
    assertThat(out).doesNotExist();
  }

  private Path part(String name, String options) throws IOException {
    return convert(DESCRIBED.writeSaev(folder.resolve("described")), name, options);
  }

  private Path keyed(String name, int layer, String... ids) throws IOException {
    Map<String, Found> tensors = new LinkedHashMap<>();
    for (String id : ids) {
      tensors.put(
          id + "__layer_" + layer, Found.of("F32", List.of(1L, 1L), NaiveTensors.floats(2)));
    }
    Path loose = folder.resolve("loose " + name);
    NaiveTensors.write(Files.createDirectories(loose).resolve("a.safetensors"), tensors);
    return convert(loose, "keyed " + name, "safetensors --kv --from-layout kv");
  }

  /** Merges two sources as more layers, or as what fits, and asserts the only conflict. */
  private void refused(CombinationError kind, Path a, Path b, String message, String... options) {
    Path out = folder.resolve("out");
    for (String more : List.of("--dry-run", "--quiet")) {
      Cli.run("merge", a, b, out, options, more).failsWithText(kind, b + ": ", message);
    }
    assertThat(out).doesNotExist();
  }

  @Test
  void whatOnlyExamplesShowIsFoundBeforeAnythingIsWritten() throws IOException {
    String[] layers = {"--combine", "layers"};
    Path one = part("one", "npy --layers 1");
    Path unlabelled = DESCRIBED.writeSaev(folder.resolve("unlabelled"));
    Files.delete(unlabelled.resolve("labels.bin"));
    refused(
        CombinationError.EXAMPLES_DIFFER,
        one,
        part("fewer", "npy --layers 3 --examples 0:4"),
        "has 4 examples (expected 6, as in " + one,
        layers);
    refused(
        CombinationError.COLUMNS_DIFFER,
        one,
        part("same", "npy --layers 1,3"),
        "has layer 1, which is also in " + one,
        layers);
    refused(
        CombinationError.EXAMPLE_DIFFERS,
        one,
        part("order", "npy --layers 3 --examples 1,0,2:6 --no-sample-metadata"),
        "example 0 differs from the one in " + one + " in its labels");
    refused(
        CombinationError.EXAMPLE_DIFFERS,
        one,
        convert(unlabelled, "samples", "npy --layers 3 --examples 1,0,2:6"),
        "example 0 differs from the one in " + one + " in its sample metadata");
    Path x = keyed("x", 1, "x", "y");
    refused(
        CombinationError.EXAMPLE_DIFFERS,
        x,
        keyed("other", 2, "x", "z"),
        "example 1 differs from the one in " + x + " in its id");
    refused(
        CombinationError.REPEATED_ID,
        x,
        keyed("again", 1, "z", "y"),
        "example 0 has the id y, as does example 1 of " + x);
  }
}
