package org.saevhadoop.format.pickleshards.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PyJson;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Python;

class ShardPicklerTest {
  private static final int FRAME = 64 << 10;

  private final List<String> expected = new ArrayList<>();
  private final Random random = new Random(1);

  @Tag("python")
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 5})
  void pythonLoadsArraysOfEveryShapeAndType(int protocol) throws Exception {
    MemoryOutput bytes = new MemoryOutput("s");
    ShardPickler out = new ShardPickler("s", bytes::write, protocol, Form.REAL);
    beginLayer(out, 15, Form.REAL);
    String shapes =
        "|0|3|2,0|0,4|5,8|2,3,4|1,2,3,4|2,1,3,1,2|%d|%d|%d|150,1024"
            .formatted(FRAME - 1, FRAME, FRAME + 1);
    for (String shape : shapes.split("\\|")) {
      for (DType type : List.of(DType.U8, DType.F32)) {
        sample(out, protocol, type, shape);
      }
    }
    for (DType type : DType.values()) {
      boolean known = type.bits() >= 8 && !type.name().startsWith("F8");
      if (known) {
        sample(out, protocol, type, "3,5");
      }
    }
    out.endLayer();
    out.end();
    assertLoaded(bytes);
  }

  private void sample(ShardPickler out, int protocol, DType type, String shape) throws Exception {
    long[] sizes =
        shape.isEmpty()
            ? new long[0]
            : Stream.of(shape.split(",")).mapToLong(Long::parseLong).toArray();
    byte[] data = bytes(type, sizes);
    out.sample(protocol * 1000L, null, type, sizes, ByteBuffer.wrap(data));
    String tuple = tuple(sizes);
    expectSample(
        type,
        sizes,
        data,
        "{'sample_idx': %d, 'shape': %s, 'text_preview': ''}".formatted(protocol * 1000, tuple));
  }

  @Tag("python")
  @ParameterizedTest
  @CsvSource({"0,4", "1,4", "1,2", "999,4", "1000,5", "1000,2", "1001,4", "2500,4", "2500,2"})
  void pythonLoadsAnyNumberOfSamplesOfTheSpecification(int count, int protocol) throws Exception {
    MemoryOutput bytes = new MemoryOutput("s");
    ShardPickler out = new ShardPickler("s", bytes::write, protocol, Form.SPEC);
    PythonValue.Dict metadata =
        (PythonValue.Dict) PyJson.parse("m", "{\"source\":{\"$tuple\":[\"a\",1]}}");
    for (int layer : new int[] {15, 7}) {
      beginLayer(out, layer, Form.SPEC);
      expected.set(expected.size() - 1, expected.get(expected.size() - 1) + " " + count);
      for (int i = 0; i < count; i++) {
        long[] shape = {1 + i % 2, 3};
        byte[] data = bytes(DType.F32, shape);
        // what a reader hands out: a piece of a longer direct buffer
        ByteBuffer direct = ByteBuffer.allocateDirect(data.length + 2).position(1);
        direct.put(data).flip().position(1);
        out.sample(i, metadata, DType.F32, shape, direct.asReadOnlyBuffer());
        expectSample(
            DType.F32,
            shape,
            data,
            "{'sample_idx': %d, 'shape': %s, 'text_preview': '', 'metadata': {'source': ('a', 1)}}"
                .formatted(i, tuple(shape)));
      }
      out.endLayer();
    }
    out.end();
    assertLoaded(bytes);
  }

  @Tag("python")
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 5})
  void aSampleKeepsItsKeysAndTheirOrderAndTypes(int protocol) throws Exception {
    MemoryOutput bytes = new MemoryOutput("s");
    ShardPickler out = new ShardPickler("s", bytes::write, protocol, Form.SPEC);
    beginLayer(out, 0, Form.SPEC);
    expected.set(expected.size() - 1, expected.get(expected.size() - 1) + " 1");
    String sampleMetadata =
        "{\"text_preview\":\"a\\ud800\",\"activation\":null,\"shape\":[2,2],"
            + "\"sample_idx\":{\"$np\":[\"int32\",7]},\"x\":{\"$dict\":[[1,{\"$bytes\":\"00\"}]]}}";
    byte[] data = bytes(DType.F16, new long[] {2, 2});
    out.sample(
        (PythonValue.Dict) PyJson.parse("a", sampleMetadata),
        DType.F16,
        new long[] {2, 2},
        ByteBuffer.wrap(data));
    out.endLayer();
    out.end();
    List<String> answer = python(bytes);
    assertThat(answer.get(1))
        .startsWith("float16 (2, 2) " + digest(data))
        .containsPattern(
            "\\{'text_preview': 'a\\\\ud800', 'shape': \\[2, 2\\], "
                + "'sample_idx': (np.int32\\(7\\)|7), 'x': \\{1: b'\\\\x00'\\}\\}");
  }

  @Test
  void aLayerThatOccursTwiceAndSampleMetadataWithoutTheKeyOfTheArrayAreRefused() throws Exception {
    ShardPickler out = new ShardPickler("s", new MemoryOutput("s")::write, 4, Form.REAL);
    out.beginLayer(1);
    assertFails(
        PickleError.SCHEMA,
        "s",
        () ->
            out.sample(
                (PythonValue.Dict) PyJson.parse("a", "{\"shape\":[]}"),
                DType.U8,
                new long[0],
                ByteBuffer.allocate(1)));
    assertFails(PickleError.DUPLICATE_LAYER, "s", () -> out.beginLayer(1));
  }

  private void beginLayer(ShardPickler out, int layer, Form dialect) throws IOException {
    out.beginLayer(layer);
    expected.add(dialect == Form.REAL ? String.valueOf(layer) : "'layer_" + layer + "'");
  }

  private void expectSample(DType type, long[] shape, byte[] data, String rest) throws Exception {
    // python_values.py shows bfloat16, which only its own package knows, as uint16
    String name = type == DType.BF16 ? "uint16" : type.numpyName();
    expected.add("%s %s %s %s".formatted(name, tuple(shape), digest(data), rest));
  }

  private void assertLoaded(MemoryOutput bytes) throws Exception {
    List<String> answer = python(bytes);
    if (!expected.get(0).contains(" ")) {
      expected.set(0, expected.get(0) + " " + (expected.size() - 1));
    }
    assertThat(answer).isEqualTo(expected);
  }

  private static List<String> python(MemoryOutput shard) throws Exception {
    return Python.MACHINE
        .with("numpy")
        .lines(Python.records(List.of(shard.bytes())), "python_values.py", "shards");
  }

  private byte[] bytes(DType type, long[] shape) {
    int count = (int) LongStream.of(shape).reduce(1, (a, b) -> a * b);
    byte[] data = new byte[count * type.bits() / 8];
    random.nextBytes(data);
    if (type == DType.BOOL) {
      for (int i = 0; i < data.length; i++) {
        data[i] &= 1;
      }
    }
    return data;
  }

  private static String tuple(long[] shape) {
    String items = Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", "));
    return "(" + items + (shape.length == 1 ? ",)" : ")");
  }

  private static String digest(byte[] data) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
  }
}
