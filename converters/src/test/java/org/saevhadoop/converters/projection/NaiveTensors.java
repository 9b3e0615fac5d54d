package org.saevhadoop.converters.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Safetensors files without this project's code: eight bytes, JSON, numbers. */
public final class NaiveTensors {
  private static final ObjectMapper JSON = new ObjectMapper();

  private NaiveTensors() {}

  /** A tensor's type, shape and bytes. */
  public record Found(String dtype, List<Long> shape, byte[] bytes) {
    public static Found of(String dtype, List<Long> shape, byte... bytes) {
      return new Found(dtype, shape, bytes);
    }

    /** Rows below the first dimension. */
    public byte[] row(int i) {
      int length = bytes.length / shape.get(0).intValue();
      return Arrays.copyOfRange(bytes, i * length, (i + 1) * length);
    }
  }

  /** A file's tensors in the order of their bytes. */
  public static Map<String, Found> file(Path file) throws IOException {
    byte[] raw = Files.readAllBytes(file);
    int n = (int) ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN).getLong();
    record Named(String name, int begin, Found found) {}

    List<Named> tensors = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : JSON.readTree(raw, 8, n).properties()) {
      if (!entry.getKey().equals("__metadata__")) {
        JsonNode tensor = entry.getValue();
        int begin = 8 + n + tensor.get("data_offsets").get(0).asInt();
        int end = 8 + n + tensor.get("data_offsets").get(1).asInt();
        List<Long> shape = new ArrayList<>();
        tensor.get("shape").forEach(size -> shape.add(size.asLong()));
        byte[] bytes = Arrays.copyOfRange(raw, begin, end);
        Found found = new Found(tensor.get("dtype").asText(), shape, bytes);
        tensors.add(new Named(entry.getKey(), begin, found));
      }
    }
    tensors.sort(Comparator.comparingInt(Named::begin));
    Map<String, Found> all = new LinkedHashMap<>();
    tensors.forEach(tensor -> all.put(tensor.name(), tensor.found()));
    return all;
  }

  /** The metadata of a file. */
  public static JsonNode metadata(Path file) throws IOException {
    byte[] raw = Files.readAllBytes(file);
    int n = (int) ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN).getLong();
    return JSON.readTree(raw, 8, n).path("__metadata__");
  }

  /** The data files of a dataset, in the order of its manifest, which is checked. */
  public static List<Path> parts(Path dataset) throws IOException {
    JsonNode manifest = JSON.readTree(dataset.resolve("dataset_manifest.json").toFile());
    assertThat(manifest.get("format_version").textValue()).isEqualTo("1.0");
    assertThat(manifest.get("safetensors_version").textValue()).isEqualTo("1.0");
    List<Path> parts = new ArrayList<>();
    long samples = 0;
    long bytes = 0;
    for (JsonNode shard : manifest.get("shards")) {
      assertThat(shard.get("shard_path").textValue()).endsWith(".safetensors");
      Path part = dataset.resolve(shard.get("shard_path").textValue());
      assertThat(Files.size(part)).isEqualTo(shard.get("bytes").longValue());
      assertThat(shard.get("samples_count").isIntegralNumber()).isTrue();
      samples += shard.get("samples_count").longValue();
      bytes += Files.size(part);
      parts.add(part);
    }
    assertThat(manifest.get("total_samples").longValue()).isEqualTo(samples);
    assertThat(manifest.get("total_bytes").longValue()).isEqualTo(bytes);
    for (JsonNode tensor : manifest.path("schema")) {
      assertThat(tensor.get("dtype").textValue()).matches("B?F16|F32|F64|[UI](8|16|32|64)");
      tensor.get("shape").forEach(size -> assertThat(size.isIntegralNumber()).isTrue());
    }
    return parts;
  }

  /** The columns of a dataset in the batch layout. */
  public static Map<String, Found> batches(Path dataset) throws IOException {
    Map<String, Found> columns = new LinkedHashMap<>();
    for (Path part : parts(dataset)) {
      file(part).forEach((name, tensor) -> columns.merge(name, tensor, NaiveTensors::join));
    }
    return columns;
  }

  /** The tensors of a dataset in the key-value layout. */
  public static Map<String, Found> keys(Path dataset) throws IOException {
    Map<String, Found> keys = new LinkedHashMap<>();
    for (Path part : parts(dataset)) {
      file(part).forEach((name, tensor) -> assertThat(keys.put(name, tensor)).isNull());
    }
    return keys;
  }

  private static Found join(Found a, Found b) {
    List<Long> shape = new ArrayList<>(a.shape());
    shape.set(0, a.shape().get(0) + b.shape().get(0));
    assertThat(b.dtype()).isEqualTo(a.dtype());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(a.bytes());
    bytes.writeBytes(b.bytes());
    return new Found(a.dtype(), shape, bytes.toByteArray());
  }

  /** Asserts that the same names have the same tensors. */
  public static void assertSame(Map<String, Found> found, Map<String, Found> expected) {
    assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
    expected.forEach(
        (name, tensor) -> {
          assertThat(found.get(name).dtype()).as(name).isEqualTo(tensor.dtype());
          assertThat(found.get(name).shape()).as(name).isEqualTo(tensor.shape());
          assertThat(found.get(name).bytes()).as(name).isEqualTo(tensor.bytes());
        });
  }

  /** Writes a file as safetensors-spark does: in the given order, without metadata or padding. */
  public static void write(Path file, Map<String, Found> tensors) throws IOException {
    write(file, tensors, Map.of());
  }

  /** Writes tensors with metadata. */
  public static void write(Path file, Map<String, Found> tensors, Map<String, String> metadata)
      throws IOException {
    ObjectNode header = JSON.createObjectNode();
    if (!metadata.isEmpty()) {
      metadata.forEach(header.putObject("__metadata__")::put);
    }
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    for (Map.Entry<String, Found> entry : tensors.entrySet()) {
      Found tensor = entry.getValue();
      ObjectNode node = header.putObject(entry.getKey()).put("dtype", tensor.dtype());
      tensor.shape().forEach(node.putArray("shape")::add);
      int begin = data.size();
      data.writeBytes(tensor.bytes());
      node.putArray("data_offsets").add(begin).add(data.size());
    }
    byte[] json = JSON.writeValueAsBytes(header);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(json.length).array());
    out.writeBytes(json);
    out.writeBytes(data.toByteArray());
    Files.createDirectories(file.getParent());
    Files.write(file, out.toByteArray());
  }

  /** Float32 as bytes. */
  public static byte[] floats(float... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (float number : numbers) {
      bytes.putFloat(number);
    }
    return bytes.array();
  }

  /** Float64 as bytes. */
  public static byte[] doubles(double... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (double number : numbers) {
      bytes.putDouble(number);
    }
    return bytes.array();
  }

  /** A tensor's numbers as float32, in Java's arithmetic. */
  public static float[] toFloats(Found tensor) {
    ByteBuffer in = ByteBuffer.wrap(tensor.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    int count = (int) tensor.shape().stream().reduce(1L, (a, b) -> a * b).longValue();
    float[] floats = new float[count];
    for (int i = 0; i < count; i++) {
      floats[i] =
          switch (tensor.dtype()) {
            case "F32" -> in.getFloat();
            case "F64" -> (float) in.getDouble();
            case "BF16" -> Float.intBitsToFloat(in.getShort() << 16);
            case "F16" -> half(in.getShort());
            case "I8" -> in.get();
            case "U8", "BOOL" -> in.get() & 0xff;
            case "I16" -> in.getShort();
            case "U16" -> in.getShort() & 0xffff;
            case "I32" -> in.getInt();
            case "U32" -> in.getInt() & 0xffffffffL;
            case "I64" -> in.getLong();
            case "U64" ->
                new java.math.BigInteger(Long.toUnsignedString(in.getLong())).floatValue();
            default -> throw new IllegalArgumentException(tensor.dtype());
          };
    }
    return floats;
  }

  private static float half(short bits) {
    int exponent = bits >> 10 & 31;
    int mantissa = bits & 1023;
    float magnitude =
        exponent == 0
            ? mantissa * 0x1p-24f
            : exponent == 31
                ? mantissa == 0 ? Float.POSITIVE_INFINITY : Float.NaN
                : (1024 + mantissa) * (float) Math.pow(2, exponent - 25);
    return bits < 0 ? -magnitude : magnitude;
  }
}
