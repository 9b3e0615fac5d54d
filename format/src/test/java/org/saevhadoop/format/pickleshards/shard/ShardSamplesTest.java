package org.saevhadoop.format.pickleshards.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertError;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.tensor.DType;

/** What objects are a shard. */
class ShardSamplesTest {
  @ParameterizedTest
  @CsvSource({
    "layer_0,0",
    "layer_15,15",
    "15,15",
    "0,0",
    "999999999,999999999",
    "layer_015,",
    "015,",
    "layer_,",
    "layer_-1,-1",
    "-20,-20",
    "layer_-999999999,-999999999",
    "layer_-0,",
    "-0,",
    "layer_--1,",
    "layer_-01,",
    "-1234567890,",
    "layer_1e3,",
    "Layer_1,",
    "'layer_1 ',",
    "+1,",
    "1234567890,",
    "'',",
    "layer_\u0661,"
  })
  void aTextNamesALayer(String key, Integer layer) {
    assertThat(LayerKey.number(key).stream().boxed().toList())
        .isEqualTo(layer == null ? List.of() : List.of(layer));
  }

  @Test
  void integersOfPythonAndNumpyNameALayer() {
    assertThat(LayerKey.number(15L)).hasValue(15);
    assertThat(LayerKey.number((long) Integer.MAX_VALUE)).hasValue(Integer.MAX_VALUE);
    assertThat(LayerKey.number(1L << 31)).isEmpty();
    assertThat(LayerKey.number(-2L)).hasValue(-2);
    assertThat(LayerKey.number((long) Integer.MIN_VALUE)).hasValue(Integer.MIN_VALUE);
    assertThat(LayerKey.number(Integer.MIN_VALUE - 1L)).isEmpty();
    assertThat(LayerKey.number(true)).isEmpty();
    assertThat(LayerKey.number(1.0)).isEmpty();
    assertThat(LayerKey.number(null)).isEmpty();
    assertThat(LayerKey.number(scalar('u', 200))).hasValue(200);
    assertThat(LayerKey.number(scalar('i', 200))).hasValue(-56);
    assertThat(LayerKey.number(scalar('f', 3))).isEmpty();
  }

  @Test
  void numpyIntegersOfAllWidthsAreRead() {
    for (int bytes : new int[] {1, 2, 4, 8}) {
      assertThat(LayerKey.integer(wide('i', bytes, -2))).isEqualTo(-2L);
      assertThat(LayerKey.integer(wide('u', bytes, 77))).isEqualTo(77L);
    }
    assertThat(LayerKey.integer(wide('u', 8, -1))).isNull();
    assertThat(LayerKey.integer(wide('u', 8, Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
    assertThat(LayerKey.integer(BigInteger.ONE.shiftLeft(63))).isNull();
  }

  @Test
  void valuesAreShownShortAndOnOneLine() {
    assertThat(LayerKey.show(BigInteger.TEN.pow(100_000))).isEqualTo("an int of 332194 bits");
    assertThat(LayerKey.show(BigInteger.ONE.shiftLeft(63))).isEqualTo("9223372036854775808");
    assertThat(LayerKey.show("x".repeat(1000))).hasSize(65);
    assertThat(LayerKey.show(null)).isEqualTo("None");
    assertThat(LayerKey.show(true)).isEqualTo("True");
    assertThat(LayerKey.show(list(1L, list(2L), "a"))).isEqualTo("(1, list, 'a')");
    Object[] many = new Object[100];
    Arrays.fill(many, 1L);
    assertThat(LayerKey.show(list(many))).isEqualTo("list of 100");
    PythonValue.PyList self = new PythonValue.PyList();
    self.add(self);
    assertThat(LayerKey.show(self)).isEqualTo("(list)");
  }

  @Test
  void layersComeInTheOrderOfTheFileAndSamplesToo() throws IOException {
    ShardSamples samples =
        ShardSamples.of(
            "s",
            dict(
                "layer_9",
                list(sample(7L), sample(0L)),
                2L,
                new PythonValue.Tuple(List.of(sample(Long.MAX_VALUE)))));
    assertThat(samples.layers()).extracting(ShardSamples.Layer::number).containsExactly(9, 2);
    assertThat(samples.layers().get(0).samples())
        .extracting(ShardSamples.Sample::id)
        .containsExactly(7L, 0L);
    assertThat(samples.layers().get(1).samples().get(0).id()).isEqualTo(Long.MAX_VALUE);
    assertThat(samples.notes()).isEmpty();
    assertThat(samples.misfits()).isEmpty();
    assertThat(samples.faults()).isEmpty();
  }

  @Test
  void aLayerUnderTwoKeysIsAnErrorButTwoLayersMayHaveOneList() throws IOException {
    PythonValue.PyList list = list(sample(7L));
    assertRefused(PickleError.DUPLICATE_LAYER, dict("layer_2", list, 2L, list));
    assertRefused(PickleError.DUPLICATE_LAYER, dict("layer_-2", list, -2L, list));
    assertThat(ShardSamples.of("s", dict("layer_2", list, "layer_-2", list)).layers()).hasSize(2);
  }

  @Test
  void whatIsNoLayerIsPassedOverUnlessItHoldsSamples() throws IOException {
    ShardSamples samples = ShardSamples.of("s", dict("_info", list(1L), 1L, list(sample(7L))));
    assertThat(samples.warnings())
        .containsExactly("s: the entry '_info' is not a layer and is not read");
    assertRefused(PickleError.SCHEMA, dict("layer_x", list(sample(7L))));
    PythonValue.Dict many = new PythonValue.Dict(PythonValue.Dict.Kind.DICT);
    for (int i = 0; i < 1000; i++) {
      many.append("x" + i, null);
    }
    assertThat(ShardSamples.of("s", many).notes()).hasSize(20);
  }

  @Test
  void otherObjectsAreNoShards() {
    assertRefused(PickleError.SCHEMA, null);
    assertRefused(PickleError.SCHEMA, list());
    assertRefused(PickleError.SCHEMA, dict(1L, dict()));
    assertRefused(PickleError.SCHEMA, dict(1L, list(2L)));
    assertRefused(PickleError.SCHEMA, dict(1L, list(dict())));
    assertRefused(PickleError.SCHEMA, dict(1L, list(sample(-1L))));
    assertRefused(PickleError.SCHEMA, dict(1L, list(sample(true))));
    assertRefused(PickleError.SCHEMA, dict(1L, list(sample(2.0))));
    assertRefused(PickleError.SCHEMA, dict(1L, list(sample(BigInteger.ONE.shiftLeft(70)))));
  }

  @Test
  void samplesTwiceAndOtherShapesAreReportedButRead() throws IOException {
    PythonValue.Dict odd = sample(7L);
    odd.append("shape", new PythonValue.Tuple(List.of(3L, 2L)));
    ShardSamples samples = ShardSamples.of("s", dict(1L, list(odd, sample(7L))));
    assertThat(samples.layers().get(0).samples()).hasSize(2);
    assertThat(samples.faults()).hasSize(1);
    assertError(PickleError.DUPLICATE_SAMPLE, "s", samples.faults().get(0));
    assertThat(samples.warnings())
        .containsExactly(
            "s: SHAPE_MISMATCH: sample 7 of layer 1 has an array of [2, 3], but its shape field is (3, 2)");
  }

  private static void assertRefused(PickleError kind, Object root) {
    assertFails(kind, "s", () -> ShardSamples.of("s", root));
  }

  private static PythonValue.Dict sample(Object id) {
    PythonValue.NumpyArray array = new PythonValue.NumpyArray();
    array.build(
        new NumpyType('f', 4, false, DType.F32),
        new long[] {2, 3},
        false,
        PayloadData.of(new byte[24]));
    return dict("sample_idx", id, "activation", array);
  }

  private static PythonValue.Dict dict(Object... items) {
    PythonValue.Dict dict = new PythonValue.Dict(PythonValue.Dict.Kind.DICT);
    for (int i = 0; i < items.length; i += 2) {
      dict.append(items[i], items[i + 1]);
    }
    return dict;
  }

  private static PythonValue.PyList list(Object... items) {
    PythonValue.PyList list = new PythonValue.PyList();
    Arrays.stream(items).forEach(list::add);
    return list;
  }

  private static PythonValue.NumpyScalar scalar(char kind, int value) {
    return new PythonValue.NumpyScalar(
        new NumpyType(kind, 1, false, kind == 'i' ? DType.I8 : DType.U8),
        new byte[] {(byte) value});
  }

  private static PythonValue.NumpyScalar wide(char kind, int bytes, long value) {
    byte[] all = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    return new PythonValue.NumpyScalar(
        new NumpyType(kind, bytes, false, DType.I64), Arrays.copyOf(all, bytes));
  }
}
