package org.saevhadoop.format.pickleshards.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.dict;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.floats;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.list;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.number;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.text;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.arrays.pickled.NumpyPickle;
import org.saevhadoop.format.io.MemoryStorage;

/** What distinguishes shards from pickles of other arrays. */
class ShardStartTest {
  private static final String SAMPLE =
      dict(text("sample_idx"), number(0), text("activation"), floats(2, 3));

  private static boolean isOfOther(byte[] pickle) throws IOException {
    MemoryStorage folder = new MemoryStorage("data");
    folder.put("x.pkl", pickle);
    return ShardStart.isOfOther(folder.open("x.pkl"));
  }

  static Stream<String> shards() {
    return Stream.of(
        dict(number(15), list(SAMPLE)),
        dict(text("layer_15"), list(SAMPLE, SAMPLE), text("layer_16"), list(SAMPLE)),
        dict(text("about"), dict(), number(3), list(SAMPLE)),
        dict(number(1), list(), number(3), list(SAMPLE)),
        dict(number(3), list(dict(text("activation"), floats(2, 3)))),
        dict(number(3), tuple(SAMPLE)),
        dict(number(3), list(dict(text("tokens"), list(number(1)), text("x"), floats(1)))),
        dict(number(3), list()),
        dict());
  }

  @ParameterizedTest
  @MethodSource("shards")
  void aShardHasSamplesInListsOfLayers(String value) throws IOException {
    assertThat(isOfOther(NumpyPickle.bytes(value))).isFalse();
  }

  static Stream<String> others() {
    return Stream.of(
        floats(2, 3),
        dict(number(15), floats(2, 3)),
        dict(text("layer_15"), list(floats(2, 3), floats(2, 3))),
        dict(text("acts"), list(dict(text("x"), floats(2, 3)))),
        list(tuple(text("id"), floats(3))),
        tuple(floats(2, 3), list(text("id"))),
        list(dict(text("x"), floats(2, 3))),
        "cpandas.core.frame\nDataFrame\n)R");
  }

  @ParameterizedTest
  @MethodSource("others")
  void otherPicklesAreOfOtherFormats(String value) throws IOException {
    assertThat(isOfOther(NumpyPickle.bytes(value))).isTrue();
  }

  @Test
  void ofWhatIsCompressedOnlyArraysWithoutLayersAreOfOtherFormats() throws IOException {
    assertThat(isOfOther(gzip(NumpyPickle.bytes(dict(text("acts"), floats(2, 3)))))).isTrue();
    assertThat(isOfOther(gzip(NumpyPickle.bytes(dict(number(3), floats(2, 3)))))).isFalse();
    assertThat(isOfOther(gzip(NumpyPickle.bytes("cos\nsystem\n)R")))).isFalse();
  }

  @Test
  void whatCannotBeReadIsLeftToTheReaderOfShards() throws IOException {
    assertThat(isOfOther(new byte[0])).isFalse();
    assertThat(isOfOther(new byte[] {1, 2, 3})).isFalse();
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(file)) {
      out.write(content);
    }
    return file.toByteArray();
  }
}
