package org.saevhadoop.converters.projection;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/**
 * Activations whose values follow from where they are, and SAEV 1.0.0 shards of them, without this
 * project's code.
 *
 * @param tokens stored tokens of an example, with [CLS] if it is stored
 * @param described whether there are labels and metadata of samples
 */
public record NaiveActivations(
    int examples, List<Integer> layers, int tokens, int dim, boolean cls, boolean described) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The first sample_idx. */
  public static final int FIRST_SAMPLE = 100;

  /** Returns a value. */
  public float value(long example, int layer, int token, int i) {
    return ((example * 101 + layer) * 53 + token) * 16 + i + 0.25f;
  }

  /** Returns a vector, its numbers in little-endian order. */
  public byte[] vector(long example, int layer, int token) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * dim).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < dim; i++) {
      bytes.putFloat(value(example, layer, token, i));
    }
    return bytes.array();
  }

  /** Returns the tokens that are no [CLS]. */
  public int patches() {
    return cls ? tokens - 1 : tokens;
  }

  /** Returns a label. */
  public byte label(long example, int patch) {
    return (byte) (example * 31 + patch * 7 + 3);
  }

  /** Returns the SHA-256 of the block of some tokens. */
  public byte[] blockDigest(long example, int layer, List<Integer> selected) {
    MessageDigest digest = sha256();
    selected.forEach(token -> digest.update(vector(example, layer, token)));
    return digest.digest();
  }

  /** Returns the line of a digest of a part, by its definition. */
  public String digestLine(
      List<Integer> selectedExamples, List<Integer> ofLayers, List<Integer> ofTokens) {
    List<Integer> ascending = ofLayers.stream().sorted().toList();
    MessageDigest all = sha256();
    for (int example : selectedExamples) {
      for (int layer : ascending) {
        all.update(blockDigest(example, layer, ofTokens));
      }
    }
    return "sha256-blocks:%s examples=%d layers=%s tokens=%d dim=%d"
        .formatted(
            HexFormat.of().formatHex(all.digest()),
            selectedExamples.size(),
            ascending.stream().map(String::valueOf).collect(Collectors.joining(",")),
            ofTokens.size(),
            dim);
  }

  private int perShard() {
    return Math.max(2, examples / 5);
  }

  /** Writes them as SAEV 1.0.0, the last shard as long as the others; returns the folder. */
  public Path writeSaev(Path parent) throws IOException {
    ObjectNode metadata = metadata();
    Path folder = Files.createDirectories(parent.resolve(hash(metadata)));
    Files.writeString(
        folder.resolve("metadata.json"),
        JSON.writerWithDefaultPrettyPrinter().writeValueAsString(metadata));
    int perShard = perShard();
    ArrayNode shards = JSON.createArrayNode();
    for (int first = 0; first < examples; first += perShard) {
      String name = "acts%06d.bin".formatted(first / perShard);
      int count = Math.min(perShard, examples - first);
      shards.addObject().put("name", name).put("n_imgs", count);
      ByteBuffer bytes = ByteBuffer.allocate(perShard * layers.size() * tokens * dim * 4);
      for (int i = 0; i < count; i++) {
        for (int layer : layers) {
          for (int token = 0; token < tokens; token++) {
            bytes.put(vector(first + i, layer, token));
          }
        }
      }
      Files.write(folder.resolve(name), bytes.array());
      if (described) {
        writeSamples(folder, first, count);
      }
    }
    Files.writeString(folder.resolve("shards.json"), JSON.writeValueAsString(shards));
    if (described) {
      ByteBuffer labels = ByteBuffer.allocate(examples * patches());
      for (int example = 0; example < examples; example++) {
        for (int patch = 0; patch < patches(); patch++) {
          labels.put(label(example, patch));
        }
      }
      Files.write(folder.resolve("labels.bin"), labels.array());
    }
    return folder;
  }

  private void writeSamples(Path folder, int first, int count) throws IOException {
    Path file = folder.resolve("acts%06d.examples.jsonl.gz".formatted(first / perShard()));
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
      for (int i = 0; i < count; i++) {
        int sample = FIRST_SAMPLE + first + i;
        out.write(
            """
            {"example":%d,"sample":{"sample_idx":%d,"activation":{"dtype":"float32",\
            "shape":{"$tuple":[%d,%d]}},"text_preview":"text %d","metadata":{}}}
            """
                .formatted(i, sample, tokens, dim, sample));
      }
    }
  }

  /** Returns the metadata of protocol 1.0.0. */
  public ObjectNode metadata() {
    ObjectNode metadata = JSON.createObjectNode();
    metadata.put("vit_family", "clip").put("vit_ckpt", "ViT-B-32/openai");
    layers.forEach(metadata.putArray("layers")::add);
    metadata.put("n_patches_per_img", patches()).put("cls_token", cls).put("d_vit", dim);
    metadata.put("n_imgs", examples);
    metadata.put("max_patches_per_shard", (perShard() + 1) * layers.size() * tokens - 1);
    metadata.putObject("data").put("root", "/data/imgs").put("__class__", "ImageFolder");
    return metadata.put("dtype", "float32").put("protocol", "1.0.0");
  }

  /**
   * Returns the hash of metadata of protocol 1.0.0: that of Python's {@code json.dumps(metadata,
   * sort_keys=True, separators=(",", ":"))}, for ASCII texts and whole numbers.
   */
  public static String hash(ObjectNode metadata) throws IOException {
    ObjectMapper sorted = new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
    Map<?, ?> fields = sorted.convertValue(metadata, TreeMap.class);
    return HexFormat.of().formatHex(sha256().digest(sorted.writeValueAsBytes(fields)));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
