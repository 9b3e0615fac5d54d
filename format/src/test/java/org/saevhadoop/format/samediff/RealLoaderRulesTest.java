package org.saevhadoop.format.samediff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.samediff.FlatForge.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Each rule of an SDNB file is noticed when it is broken. */
@Tag("sampled")
class RealLoaderRulesTest extends SdnbRuleAssertions {
  @Test
  void aFileThatObeysAllRulesHasItsArrays() throws IOException {
    Path file = write(RealSdnbForge.file().bytes());
    List<RealArray> arrays = RealLoaderRules.ofOurs(file);
    assertThat(arrays).hasSize(4);
    assertThat(arrays)
        .extracting(RealArray::name, RealArray::dtype, RealArray::shape)
        .map(array -> array.toList().toString())
        .containsExactly(
            "[a, FLOAT, [2, 3]]", "[b, HALF, [1]]", "[s, INT, []]", "[e, FLOAT, [0, 5]]");
    assertThat(arrays.get(1).bytes()).containsExactly(1, 2);
    assertThat(arrays.get(2).bytes()).containsExactly(1, 2, 3, 4);
    assertThat(RealLoaderRules.ofAny(file)).hasSameSizeAs(arrays);
  }

  @Test
  void aFileWithoutArraysObeysAllRules() throws IOException {
    assertThat(RealLoaderRules.ofOurs(write(new RealSdnbForge().bytes()))).isEmpty();
  }

  @Test
  void anArrayInFortranOrderIsReturnedInCOrder() throws IOException {
    RealSdnbForge forge =
        new RealSdnbForge().append("a", 8, new byte[] {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}, 3, 2);
    forge.array(0).put(3, (byte) 1);
    assertThat(RealLoaderRules.ofAny(write(forge.bytes())).get(0).bytes())
        .containsExactly(0, 0, 3, 3, 1, 1, 4, 4, 2, 2, 5, 5);
  }

  static Stream<Arguments> broken() {
    String base = "the last array ends where the manifest begins, and stubs count from the first";
    return Stream.of(
        rule("a file begins with SDNB", forge -> forge.magic = 0x464c4154),
        rule("the version is 1", forge -> forge.version = 2),
        rule("the FlatBuffer is at 32", forge -> forge.flatOffset = 40),
        rule("the manifest begins with AC ED 00 05", forge -> forge.manifestShift = -1),
        rule("stub and manifest have one length", forge -> forge.array(0).put(9, 20L)),
        rule(base, forge -> forge.array(0).put(8, 4L)),
        rule(base, forge -> forge.gap = 1),
        rule("arrays are between header and manifest", forge -> forge.place("a", -10_000, 24)),
        rule("arrays end before the manifest", forge -> forge.place("a", 48, 24)),
        rule("appended arrays are not empty", forge -> forge.place("a", 0, 0)),
        rule("names in the manifest are those of variables", forge -> forge.place("x", 0, 24)),
        rule("appended arrays have a stub", forge -> forge.variables.get(0).remove(4)),
        rule("appended arrays have a stub", forge -> forge.array(0).remove(9)),
        rule("stubs are in the manifest", forge -> forge.manifest.remove("a")),
        rule("stubs are not negative", forge -> forge.array(0).put(8, -1L)),
        rule("stubs are not negative", forge -> forge.array(0).put(9, -1L)),
        rule("stubs lie in the file", forge -> forge.array(0).put(9, Long.MAX_VALUE)),
        rule("stubs lie in the file", forge -> forge.array(0).put(8, Long.MAX_VALUE)),
        rule(
            "arrays have the size of their shape",
            forge -> {
              shape(forge, 0, 2, 2);
              forge.array(0).remove(5);
            }),
        rule("a size is that of the array", forge -> forge.array(0).put(5, 20L)),
        rule("arrays have the size of their shape", forge -> forge.array(2).put(1, new byte[8])),
        rule("arrays have the size of their shape", forge -> forge.array(3).put(1, new byte[4])),
        rule("dimensions are not negative", forge -> shape(forge, 0, -2, -3)),
        rule("an array is smaller than 2 GiB", forge -> shape(forge, 0, 1L << 32, 1L << 32)),
        rule("an array has at most 32 dimensions", forge -> shape(forge, 3, new long[33])),
        rule("an array has a shape", forge -> forge.array(0).remove(0)),
        rule(
            "variable and array have one shape",
            forge -> forge.variables.get(0).put(3, new long[] {6})),
        rule("scalars are not appended", forge -> forge.append("c", 5, new byte[4])),
        rule("a scalar has a value", forge -> forge.array(2).remove(1)),
        rule(
            "appended arrays are not also in the FlatBuffer",
            forge -> forge.array(0).put(1, new byte[24])),
        rule(
            "no array is divided into chunks",
            forge -> forge.array(0).put(4, List.of(table(0, 1L, 1, new byte[24])))),
        rule("no array is in another file", forge -> forge.array(0).put(7, (byte) 1)),
        rule("no array is in another file", forge -> forge.array(0).put(6, List.of("x"))),
        rule("the order of an array is c or f", forge -> forge.array(0).put(3, (byte) 2)),
        rule("variable and array have one type", forge -> forge.variables.get(0).put(2, (byte) 9)));
  }

  private static void shape(RealSdnbForge forge, int index, long... shape) {
    forge.variables.get(index).put(3, shape);
    forge.array(index).put(0, shape);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  void aBrokenRuleIsNoticed(String rule, Consumer<RealSdnbForge> change) throws IOException {
    assertBroken(rule, change);
  }

  @Test
  void aFileWithoutAWholeHeaderIsNoticed() throws IOException {
    assertBroken("a file has a header of 32 bytes", new byte[31]);
  }

  @ParameterizedTest
  @ValueSource(longs = {-10_000, 1L << 40, Long.MAX_VALUE - 10_000})
  void aManifestOutsideOfTheFileIsNoticed(long shift) throws IOException {
    assertBroken("the manifest is in the file", forge -> forge.manifestShift = shift);
    assertBroken("the manifest ends in the file", forge -> forge.lengthShift = shift);
  }

  @Test
  void aFileOfTwoGibibytesIsNoticed() throws IOException {
    Path file = write(RealSdnbForge.file().bytes());
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), Integer.MAX_VALUE);
    }
    assertThatThrownBy(() -> RealLoaderRules.ofAny(file))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("rule broken: a file is smaller than 2 GiB: ");
  }

  @Test
  void aManifestThatIsNoMapIsNoticed() throws IOException {
    Path file = write(changed("java.util.LinkedHashMap", "java.util.LinkedHashSet"));
    assertThatThrownBy(() -> RealLoaderRules.ofAny(file))
        .hasMessageStartingWith("rule broken: the manifest is a map of names to pairs");
  }

  @ParameterizedTest
  @CsvSource({"a, 5", "5, a", "a, a"})
  void aManifestOfOtherTypesIsNoticed(String key, String value) throws IOException {
    RealSdnbForge forge = RealSdnbForge.file();
    forge.manifest.put(
        key.equals("5") ? (Object) 5L : key, value.equals("5") ? (Object) 5L : value);
    Path file = write(forge.bytes());
    assertThatThrownBy(() -> RealLoaderRules.ofAny(file))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("rule broken: the manifest is a map of names to pairs");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 4, 15, 16, 50, 127, -1})
  void anUnknownTypeIsNoticed(int dtype) throws IOException {
    assertBroken(
        "the type of an array is known",
        forge -> {
          forge.variables.get(0).put(2, (byte) dtype);
          forge.array(0).put(2, (byte) dtype);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5, 17})
  void aSmallArrayInTheFlatBufferIsNotOurs(int dtype) throws IOException {
    byte[] value = new byte[dtype == 5 ? 4 : 2];
    assertNotOurs(
        "all arrays but scalars are appended",
        forge -> {
          forge.empty("i", dtype, 1);
          forge.array(4).put(1, value);
        });
  }

  @ParameterizedTest
  @CsvSource({"3, 2", "7, 1", "8, 2", "11, 1", "12, 2", "13, 4", "14, 8", "17, 2"})
  void aScalarOfATypeThatLoadersWidenIsNotOurs(int dtype, int width) throws IOException {
    assertNotOurs(
        "scalars have a type that loaders keep",
        forge -> forge.scalar("i", dtype, new byte[width]));
  }

  static Stream<Arguments> unusual() {
    return Stream.of(
        rule("nothing follows the manifest", forge -> forge.trailer = 1),
        rule(
            "arrays do not overlap",
            forge -> {
              forge.append("c", 7, new byte[10], 10).place("b", 0, 2);
              forge.array(1).put(8, 0L);
            }),
        rule("arrays are in C order, which C++ assumes", forge -> forge.array(0).put(3, (byte) 1)),
        rule("stubs have the size of their array", forge -> forge.array(0).remove(5)),
        rule("empty arrays have no buffer", forge -> forge.array(3).put(1, new byte[0])),
        rule("a variable has a shape", forge -> forge.variables.get(0).remove(3)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unusual")
  void whatSomeLoaderIgnoresIsNotOurs(String rule, Consumer<RealSdnbForge> change)
      throws IOException {
    assertNotOurs(rule, change);
  }

  @Property(tries = 10_000, sample = 500)
  void changedBytesBreakARuleOrAreRead(RandomValues any) throws IOException {
    byte[] bytes = RealSdnbForge.file().bytes();
    for (int i = any.intBetween(1, 3); i > 0; i--) {
      bytes[any.intBetween(0, bytes.length - 1)] = (byte) any.intBetween(-128, 127);
    }
    try {
      assertThat(RealLoaderRules.single(ByteBuffer.wrap(bytes), RuleLevel.ANY)).isNotNull();
    } catch (AssertionError e) {
      assertThat(e).hasMessageStartingWith("rule broken: ");
    }
  }
}
