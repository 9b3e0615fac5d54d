package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.tensor.DType;

/** Every file on which the reference has given its verdict. */
@RequiresCorpus
class SafetensorsCorpusTest {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS);

  /** What only the reference accepts. */
  private static final Pattern ODD =
      Pattern.compile("hand_(dup_tensor_|metadata_dup_keys|info_as_array|dtype_as_map)");

  /** A file and what the reference says of it. */
  record Case(Path file, JsonNode verdict) {}

  static Stream<Named<Case>> corpus() throws IOException {
    Path root = Corpus.part("safetensors");
    JsonNode cases = JSON.readTree(root.resolve("verdicts.json").toFile()).path("cases");
    List<Named<Case>> all = new ArrayList<>();
    cases
        .properties()
        .forEach(
            e -> all.add(Named.of(e.getKey(), new Case(root.resolve(e.getKey()), e.getValue()))));
    return all.stream();
  }

  static Stream<Named<Case>> sparkOutputs() throws IOException {
    Path root = Corpus.part("safetensors-spark");
    List<Named<Case>> all = new ArrayList<>();
    for (String line : Files.readAllLines(root.resolve("verdicts.jsonl"))) {
      JsonNode verdict = JSON.readTree(line);
      String name = verdict.path("file").asText();
      // The verdicts also cover files that the corpus leaves out.
      if (Files.exists(root.resolve(name))) {
        all.add(Named.of(name, new Case(root.resolve(name), verdict)));
      }
    }
    return all.stream();
  }

  static Stream<Named<Case>> writable() throws IOException {
    return corpus().filter(c -> c.getPayload().verdict().has("write_spec"));
  }

  @ParameterizedTest
  @MethodSource({"corpus", "sparkOutputs"})
  void theVerdictIsTheReferences(Case c) throws Exception {
    try (Input in = LocalFile.open(c.file())) {
      if (c.verdict().path("verdict").asText().equals("valid")) {
        assertSame(c.verdict(), SafetensorsHeader.read(in, HeaderStrictness.LENIENT), in);
      } else {
        FormatException e =
            catchThrowableOfType(
                FormatException.class, () -> SafetensorsHeader.read(in, HeaderStrictness.LENIENT));
        assertThat(e).as("must be refused").isNotNull();
        String problem = e.getMessage().substring(c.file().toString().length() + 2);
        assertThat(texts(c.verdict().path("kind"))).contains(problem.split(":")[0]);
      }
    }
  }

  @ParameterizedTest
  @MethodSource({"corpus", "sparkOutputs"})
  void strictReadingRefusesMoreButNothingOtherwise(Case c) throws Exception {
    try (Input in = LocalFile.open(c.file())) {
      FormatException lenient = refusal(in, HeaderStrictness.LENIENT);
      FormatException strict = refusal(in, HeaderStrictness.STRICT);
      if (lenient != null) {
        assertThat(strict).hasMessage(lenient.getMessage());
      } else if (ODD.matcher(c.file().getFileName().toString()).lookingAt()) {
        assertThat(strict)
            .hasMessageContaining("InvalidHeaderDeserialization")
            .hasMessageEndingWith("--lenient accepts it");
      } else {
        assertThat(strict).isNull();
        assertThat(SafetensorsHeader.read(in).tensors())
            .isEqualTo(SafetensorsHeader.read(in, HeaderStrictness.LENIENT).tensors());
      }
    }
  }

  private static FormatException refusal(Input in, HeaderStrictness strictness) {
    return catchThrowableOfType(
        FormatException.class, () -> SafetensorsHeader.read(in, strictness));
  }

  private static void assertSame(JsonNode verdict, SafetensorsHeader header, Input in)
      throws Exception {
    assertThat(header.headerBytes()).isEqualTo(verdict.path("header_len").asLong());
    assertThat(header.dataStart() + verdict.path("data_len").asLong()).isEqualTo(in.length());
    assertThat(header.metadata()).isEqualTo(map(verdict.path("metadata")));
    assertThat(header.tensors()).hasSameSizeAs(verdict.path("tensors"));
    for (JsonNode expected : verdict.path("tensors")) {
      TensorInfo tensor = header.tensor(expected.path("name").asText()).orElseThrow();
      assertThat(tensor.dtype().name()).isEqualTo(expected.path("dtype").asText());
      assertThat(tensor.shape()).isEqualTo(longs(expected.path("shape")));
      assertThat(List.of(tensor.begin(), tensor.end()))
          .isEqualTo(longs(expected.path("data_offsets")));
      ByteBuffer data = ByteBuffer.allocate((int) tensor.byteLength());
      in.readFully(header.dataStart() + tensor.begin(), data);
      assertThat(MessageDigest.getInstance("SHA-256").digest(data.array()))
          .asHexString()
          .isEqualToIgnoringCase(expected.path("sha256").asText());
    }
  }

  @ParameterizedTest
  @MethodSource("writable")
  void weWriteTheReferencesBytes(Case c) throws IOException {
    JsonNode spec = c.verdict().path("write_spec");
    Map<String, String> fills = new HashMap<>();
    List<TensorSpec> tensors = new ArrayList<>();
    for (JsonNode t : spec.path("tensors")) {
      String name = t.path("name").asText();
      fills.put(name, t.path("fill").asText());
      tensors.add(
          new TensorSpec(name, DType.valueOf(t.path("dtype").asText()), longs(t.path("shape"))));
    }
    Map<String, String> metadata = map(spec.path("metadata"));
    MemoryOutput sink = new MemoryOutput(MemoryFile.PATH);
    try (SafetensorsWriter writer = new SafetensorsWriter(sink, tensors, metadata)) {
      for (TensorInfo tensor : writer.tensors()) {
        writer.write(ByteBuffer.wrap(data(tensor, fills.get(tensor.name()))));
      }
    }
    byte[] expected = Files.readAllBytes(c.file());
    if (metadata == null || metadata.size() < 2) {
      assertThat(sink.bytes()).isEqualTo(expected);
    } else {
      // The reference writes metadata in a random order.
      assertThat(sink.position()).isEqualTo(expected.length);
      assertThat(MemoryFile.read(sink.bytes()).metadata()).isEqualTo(metadata);
    }
  }

  /** The corpus's own generator of tensor data. */
  private static byte[] data(TensorInfo tensor, String fill) {
    ByteBuffer data = ByteBuffer.allocate((int) tensor.byteLength());
    long x = 0xcbf29ce484222325L;
    for (byte b : tensor.name().getBytes(StandardCharsets.UTF_8)) {
      x = (x ^ (b & 0xff)) * 0x100000001b3L;
    }
    x = x == 0 ? 1 : x;
    while (data.hasRemaining()) {
      x ^= x >>> 12;
      x ^= x << 25;
      x ^= x >>> 27;
      long word = x * 0x2545F4914F6CDD1DL;
      for (int i = 0; i < 8 && data.hasRemaining(); i++) {
        byte b = (byte) (word >>> (8 * i));
        data.put((byte) (fill.equals("ff") ? 0xff : fill.equals("bool") ? b & 1 : b));
      }
    }
    return data.array();
  }

  private static List<String> texts(JsonNode node) {
    return node.isArray()
        ? StreamSupport.stream(node.spliterator(), false).map(JsonNode::asText).toList()
        : List.of(node.asText());
  }

  private static List<Long> longs(JsonNode node) {
    return StreamSupport.stream(node.spliterator(), false)
        .map(n -> n.bigIntegerValue().longValue())
        .toList();
  }

  private static Map<String, String> map(JsonNode node) {
    if (node.isNull()) {
      return null;
    }
    Map<String, String> map = new HashMap<>();
    node.properties().forEach(e -> map.put(e.getKey(), e.getValue().asText()));
    return map;
  }
}
