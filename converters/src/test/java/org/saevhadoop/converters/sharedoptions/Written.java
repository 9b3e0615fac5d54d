package org.saevhadoop.converters.sharedoptions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.samediff.RealArray;
import org.saevhadoop.format.samediff.RealLoaderRules;

/**
 * What a verb has written, read without this project's code; pickles excepted.
 *
 * @param tensors the values by the names of layers and of per-token integers
 */
record Written(Map<String, Found> tensors) {
  private static final Pattern DESCR = Pattern.compile("'descr': *'([^']*)'");
  private static final Pattern SHAPE = Pattern.compile("'shape': *\\(([0-9, ]*)\\)");

  /** Reads a dataset in a format. */
  static Written read(String format, Path dataset) throws IOException {
    return new Written(
        switch (format) {
          case "npy" -> npy(dataset);
          case "safetensors" -> NaiveTensors.batches(dataset);
          case "saev" -> saev(dataset);
          case "samediff" -> sameDiff(dataset);
          case "pickle" -> pickle(dataset);
          default -> throw new IllegalArgumentException(format);
        });
  }

  /** Reads a file .npy, whose type is the one of a header of numpy. */
  static Found npy(byte... file) {
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getShort(8);
    String header = new String(file, 10, length, StandardCharsets.US_ASCII);
    Matcher descr = DESCR.matcher(header);
    Matcher shape = SHAPE.matcher(header);
    assertThat(descr.find() && shape.find() && header.contains("'fortran_order': False"))
        .as(header)
        .isTrue();
    List<Long> sizes =
        Stream.of(shape.group(1).split("[, ]+"))
            .filter(s -> !s.isEmpty())
            .map(Long::valueOf)
            .toList();
    return new Found(descr.group(1), sizes, Arrays.copyOfRange(file, 10 + length, file.length));
  }

  private static Map<String, Found> npy(Path dataset) throws IOException {
    Map<String, Found> tensors = new LinkedHashMap<>();
    try (Stream<Path> files = Files.list(dataset)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".npy")).sorted().toList()) {
        String name = file.getFileName().toString().replace(".npy", "");
        tensors.put(name, npy(Files.readAllBytes(file)));
      }
    }
    tensors.replaceAll(
        (name, found) -> new Found(typeOf(found.dtype()), found.shape(), found.bytes()));
    return tensors;
  }

  /** Returns the name in safetensors of a type of numpy. */
  private static String typeOf(String descr) {
    return switch (descr) {
      case "<i8" -> "I64";
      case "|u1" -> "U8";
      default ->
          Stream.of(StoredType.values())
              .filter(type -> type.descr.equals(descr))
              .map(Enum::name)
              .findFirst()
              .orElse(descr);
    };
  }

  private static Map<String, Found> saev(Path dataset) throws IOException {
    JsonNode metadata = Fixtures.json(dataset.resolve("metadata.json"));
    long tokens =
        metadata.path("content_tokens_per_example").asLong()
            + metadata.path("n_patches_per_img").asLong()
            + (metadata.get("cls_token").asBoolean() ? 1 : 0);
    long dim = metadata.path("d_model").asLong() + metadata.path("d_vit").asLong();
    JsonNode layers = metadata.get("layers");
    int block = (int) (tokens * dim * Float.BYTES);
    List<ByteArrayOutputStream> values =
        layers.valueStream().map(layer -> new ByteArrayOutputStream()).toList();
    String size = metadata.has("n_imgs") ? "n_imgs" : "n_examples";
    long n = 0;
    for (JsonNode shard : Fixtures.json(dataset.resolve("shards.json"))) {
      byte[] bytes = Files.readAllBytes(dataset.resolve(shard.get("name").asText()));
      int examples = shard.get(size).asInt();
      for (int i = 0; i < examples * layers.size(); i++) {
        values.get(i % layers.size()).write(bytes, i * block, block);
      }
      n += examples;
    }
    assertThat(metadata.get(size).asLong()).isEqualTo(n);
    Map<String, Found> tensors = new LinkedHashMap<>();
    for (int i = 0; i < layers.size(); i++) {
      tensors.put(
          "layer_" + layers.get(i).asInt(),
          new Found("F32", List.of(n, tokens, dim), values.get(i).toByteArray()));
    }
    if (Files.exists(dataset.resolve("labels.bin"))) {
      byte[] labels = Files.readAllBytes(dataset.resolve("labels.bin"));
      tensors.put("labels", new Found("U8", List.of(n, labels.length / n), labels));
    }
    return tensors;
  }

  private static Map<String, Found> sameDiff(Path dataset) throws IOException {
    Map<String, Found> tensors = new LinkedHashMap<>();
    Path file;
    try (Stream<Path> files = Files.list(dataset)) {
      file = files.filter(f -> f.toString().matches(".*\\.sd(nb|z)")).findFirst().orElseThrow();
    }
    for (RealArray array : RealLoaderRules.ofOurs(file)) {
      String type =
          switch (array.dtype()) {
            case "LONG" -> "I64";
            case "UBYTE" -> "U8";
            default ->
                Stream.of(StoredType.values())
                    .filter(t -> (t.torch + "").equalsIgnoreCase(array.dtype()))
                    .map(Enum::name)
                    .findFirst()
                    .orElse(array.dtype());
          };
      assertThat(array.name()).endsWith("/shard_0");
      tensors.put(
          array.name().replace("/shard_0", ""), new Found(type, array.shape(), array.bytes()));
    }
    return tensors;
  }

  private static Map<String, Found> pickle(Path dataset) throws IOException {
    Map<String, Found> tensors = new LinkedHashMap<>();
    JsonNode report = Cli.run("inspect", dataset, "--json").succeeds().json();
    for (JsonNode layer : report.get("layers")) {
      String words = "--examples=: --format=bin --layer=" + layer.asInt();
      byte[] values = Cli.run("cat", dataset, words.split(" ")).succeeds().stdout();
      String type =
          Stream.of(StoredType.values())
              .filter(t -> t.numpy.equals(report.get("dtype").asText()))
              .map(Enum::name)
              .findFirst()
              .orElseThrow();
      List<Long> shape =
          Stream.of("examples", "tokens", "dim").map(name -> report.get(name).asLong()).toList();
      tensors.put("layer_" + layer.asInt(), new Found(type, shape, values));
    }
    return tensors;
  }

  /** Asserts that the layers are these, in values and shapes. */
  void assertLayers(Activations expected, String what) {
    List<String> names = expected.layers().stream().map(layer -> "layer_" + layer).toList();
    assertThat(tensors.keySet().stream().filter(name -> name.startsWith("layer_")).toList())
        .as(what)
        .containsExactlyInAnyOrderElementsOf(names);
    for (int layer : expected.layers()) {
      Found found = tensors.get("layer_" + layer);
      assertThat(found.dtype())
          .as("%s, type of layer %d", what, layer)
          .isEqualTo(expected.type().name());
      assertThat(found.shape())
          .as("%s, shape of layer %d", what, layer)
          .isEqualTo(
              List.of(
                  (long) expected.examples().size(),
                  (long) expected.tokens(),
                  (long) expected.dim()));
      assertThat(found.bytes())
          .as("%s, values of layer %d", what, layer)
          .isEqualTo(expected.layer(layer));
    }
  }
}
