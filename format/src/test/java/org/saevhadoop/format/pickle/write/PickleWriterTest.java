package org.saevhadoop.format.pickle.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.pickle.value.AnyValues;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PyJson;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Python;
import org.saevhadoop.testing.RandomValues;

@Tag("python")
@Tag("sampled")
class PickleWriterTest {
  private static final int FRAME = 64 << 10;

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 5})
  void pythonLoadsEveryValue(int protocol) throws Exception {
    List<Object> values = samples(AnyValues::value, TestExtent.of(250, 800));
    values.addAll(samples(AnyValues::scalar, TestExtent.of(100, 300)));
    List<byte[]> pickles = new ArrayList<>();
    for (Object value : values) {
      pickles.add(pickle(protocol, value));
    }
    assertSame(python("values", pickles), values);
  }

  @Test
  void pythonReadsTheLinesOfEveryValue() throws Exception {
    List<Object> values = samples(AnyValues::value, TestExtent.of(250, 800));
    values.addAll(samples(AnyValues::scalar, TestExtent.of(100, 300)));
    List<String> lines = new ArrayList<>();
    for (Object value : values) {
      lines.add(PyJson.write("v", value, null, Integer.MAX_VALUE));
    }
    assertSame(
        Python.MACHINE
            .with("numpy")
            .lines(String.join("\n", lines).getBytes(UTF_8), "python_values.py", "lines"),
        values);
  }

  private static List<String> python(String question, List<byte[]> pickles) throws Exception {
    return Python.MACHINE
        .with("numpy")
        .lines(Python.records(pickles), "python_values.py", question);
  }

  private static List<Object> samples(Function<RandomValues, Object> values, int count) {
    return LongStream.range(0, count)
        .mapToObj(seed -> values.apply(new RandomValues(seed)))
        .collect(Collectors.toList());
  }

  private static void assertSame(List<String> answers, List<Object> values) throws Exception {
    assertThat(answers).hasSameSizeAs(values);
    for (int i = 0; i < values.size(); i++) {
      assertThat(AnyValues.comparable(PyJson.parse("answer", answers.get(i))))
          .as(answers.get(i))
          .isEqualTo(AnyValues.comparable(values.get(i)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 5})
  void theOpcodesAreCpythons(int protocol) throws Exception {
    List<byte[]> pickles = new ArrayList<>();
    for (int size : new int[] {0, 1, 2, 999, 1000, 1001, 2500}) {
      List<String> texts = IntStream.range(0, size).mapToObj(i -> "text " + i).toList();
      List<Long> numbers = LongStream.range(0, size).map(i -> i * i * i).boxed().toList();
      pickles.add(pickle(protocol, AnyValues.list(texts)));
      pickles.add(pickle(protocol, AnyValues.list(numbers)));
      pickles.add(
          pickle(protocol, AnyValues.list(texts.stream().map(PickleWriterTest::sample).toList())));
      if (size != 1000) { // CPython has an empty batch behind a full one
        pickles.add(pickle(protocol, AnyValues.dict(texts, numbers, PythonValue.Dict.Kind.DICT)));
      }
    }
    assertThat(python("cpython", pickles)).hasSameSizeAs(pickles).containsOnly("True");
  }

  private static Object sample(String text) {
    Object bytes =
        new PythonValue.Bytes(PayloadData.of(new byte[text.endsWith("77") ? 70_000 : 7]));
    Object set = new PythonValue.PySet(text.endsWith("1"), List.of(text));
    return AnyValues.dict(
        List.of("sample_idx", "text_preview", "shape", "metadata"),
        List.of(
            1L << text.length(),
            text,
            new PythonValue.Tuple(List.of(128L, 1024L)),
            AnyValues.list(
                List.of(
                    0.5,
                    true,
                    bytes,
                    set,
                    new PythonValue.ByteArray(PayloadData.of(new byte[9]))))),
        PythonValue.Dict.Kind.ORDERED_DICT);
  }

  @Test
  void bfloat16IsTheTypeOfMlDtypes() throws Exception {
    byte[] p4 = array(4, DType.BF16, new long[] {2}, new byte[] {1, 2, 3, 4});
    byte[] p2 = array(2, DType.BF16, new long[] {2}, new byte[] {1, 2, 3, (byte) 0xff});
    List<String> tail =
        List.of(
            "NEWFALSE",
            "NEWTRUE",
            "TUPLE3",
            "REDUCE",
            "MARK",
            "BININT1 3",
            "%s '<'",
            "NONE",
            "NONE",
            "NONE",
            "BININT1 2",
            "BININT1 2",
            "BININT1 64",
            "TUPLE",
            "BUILD",
            "NEWFALSE");
    List<String> four = new ArrayList<>(List.of("PROTO 4"));
    Collections.addAll(
        four,
        "SHORT_BINUNICODE 'numpy.core.multiarray'",
        "SHORT_BINUNICODE '_reconstruct'",
        "STACK_GLOBAL",
        "SHORT_BINUNICODE 'numpy'",
        "SHORT_BINUNICODE 'ndarray'",
        "STACK_GLOBAL",
        "BININT1 0",
        "TUPLE1",
        "SHORT_BINBYTES b'b'",
        "TUPLE3",
        "REDUCE",
        "MARK",
        "BININT1 1",
        "BININT1 2",
        "TUPLE1",
        "SHORT_BINUNICODE 'numpy'",
        "SHORT_BINUNICODE 'dtype'",
        "STACK_GLOBAL",
        "SHORT_BINUNICODE 'ml_dtypes'",
        "SHORT_BINUNICODE 'bfloat16'",
        "STACK_GLOBAL");
    tail.forEach(op -> four.add(op.formatted("SHORT_BINUNICODE")));
    Collections.addAll(four, "SHORT_BINBYTES b'\\x01\\x02\\x03\\x04'", "TUPLE", "BUILD", "STOP");
    assertThat(python("opcodes", List.of(p4))).isEqualTo(four);
    assertThat(python("opcodes", List.of(p2)))
        .containsSubsequence("GLOBAL 'numpy dtype'", "GLOBAL 'ml_dtypes bfloat16'", "NEWFALSE")
        .containsSubsequence(tail.stream().map(op -> op.formatted("BINUNICODE")).toList())
        .containsSubsequence(
            "GLOBAL '_codecs encode'",
            "BINUNICODE 'b'",
            "BINUNICODE 'latin1'",
            "TUPLE2",
            "BINGET 2",
            "BINUNICODE '\\x01\\x02\\x03ÿ'",
            "BINGET 3",
            "TUPLE2");
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void framesAreOfAtMost64KibAndLongContentIsOutsideOfThem(int protocol) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<Integer> frames = new ArrayList<>();
    PickleWriter out =
        new PickleWriter(
            "v",
            protocol,
            piece -> {
              ByteBuffer in = piece.duplicate().order(ByteOrder.LITTLE_ENDIAN);
              if (in.remaining() > 9 && in.get(in.position()) == (byte) 0x95) {
                assertThat(in.getLong(in.position() + 1)).isEqualTo(in.remaining() - 9);
                frames.add(in.remaining() - 9);
              }
              drain(bytes, piece);
            });
    out.beginList();
    for (int i = 0; i < 3000; i++) {
      out.value("a text of some length " + i, null);
    }
    for (int size : new int[] {FRAME - 6, FRAME - 5, FRAME - 4, FRAME, FRAME + 1}) {
      out.array(DType.U8, new long[] {size}, ByteBuffer.allocate(size));
    }
    out.endList();
    out.end();
    assertThat(frames).hasSizeBetween(4, 10).allMatch(size -> size <= FRAME).contains(FRAME);
    assertThat(python("values", List.of(bytes.toByteArray()))).hasSize(1);
  }

  @Test
  void whatContainsItselfOrGrowsWithoutEndIsRefused() {
    PythonValue.PyList cycle = new PythonValue.PyList();
    cycle.add(cycle);
    Object doubled = new PythonValue.Tuple(List.of());
    for (int i = 0; i < 100; i++) {
      doubled = new PythonValue.Tuple(List.of(doubled, doubled));
    }
    Object large = new PythonValue.Bytes(PayloadData.of(new byte[1 << 20]));
    for (int i = 0; i < 40; i++) {
      large = AnyValues.list(List.of(large, large));
    }
    for (Object value : List.of(cycle, doubled, large)) {
      assertFails(
          PickleError.LIMIT_EXCEEDED,
          "v",
          () -> new PickleWriter("v", 4, PickleWriterTest::skip).value(value, null));
    }
  }

  @Test
  void whatIsNotAsItsShapeRequiresOrNotEndedIsRefused() throws Exception {
    PickleWriter out = new PickleWriter("v", 4, PickleWriterTest::skip);
    assertThatThrownBy(() -> out.array(DType.F32, new long[] {2}, ByteBuffer.allocate(7)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> out.array(DType.F8_E5M2, new long[] {1}, ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("numpy has no F8_E5M2");
    out.beginDict(PythonValue.Dict.Kind.DICT);
    out.key("a");
    assertThatThrownBy(out::endDict).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new PickleWriter("v", 3, PickleWriterTest::skip))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void skip(ByteBuffer bytes) {
    bytes.position(bytes.limit());
  }

  private static void drain(ByteArrayOutputStream out, ByteBuffer bytes) throws IOException {
    byte[] piece = new byte[bytes.remaining()];
    bytes.get(piece);
    out.write(piece);
  }

  private static byte[] pickle(int protocol, Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PickleWriter out = new PickleWriter("v", protocol, piece -> drain(bytes, piece));
    out.value(value, null);
    out.end();
    return bytes.toByteArray();
  }

  private static byte[] array(int protocol, DType type, long[] shape, byte[] data)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PickleWriter out = new PickleWriter("v", protocol, piece -> drain(bytes, piece));
    out.array(type, shape, ByteBuffer.wrap(data));
    out.end();
    return bytes.toByteArray();
  }
}
