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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.common.primitives.Pair;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Each rule of an SDNB file is noticed when it is broken. */
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

  // The header

  @Test
  void theHeaderIsChecked() throws IOException {
    assertBroken("a file has a header of 32 bytes", new byte[31]);
    assertBroken("a file begins with SDNB", forge -> forge.magic = 0x464c4154);
    assertBroken("the version is 1", forge -> forge.version = 2);
    assertBroken("the FlatBuffer is at 32", forge -> forge.flatOffset = 40);
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

  // The manifest

  @Test
  void aManifestThatIsNoStreamIsNoticed() throws IOException {
    assertBroken("the manifest begins with AC ED 00 05", forge -> forge.manifestShift = -1);
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

  @Test
  void aManifestThatNamesAnotherRangeThanTheStubIsNoticed() throws IOException {
    assertBroken("stub and manifest have one length", forge -> forge.array(0).put(9, 20L));
    assertBroken(
        "the last array ends where the manifest begins, and stubs count from the first",
        forge -> forge.array(0).put(8, 4L));
  }

  @Test
  void anArrayOutsideOfItsPositionIsNoticed() throws IOException {
    assertBroken(
        "arrays are between header and manifest",
        forge -> forge.manifest.put("a", new Pair<>(-10_000L, 24L)));
    assertBroken(
        "arrays end before the manifest", forge -> forge.manifest.put("a", new Pair<>(48L, 24L)));
    assertBroken(
        "appended arrays are not empty", forge -> forge.manifest.put("a", new Pair<>(0L, 0L)));
  }

  @Test
  void bytesBetweenTheLastArrayAndTheManifestAreNoticed() throws IOException {
    assertBroken(
        "the last array ends where the manifest begins, and stubs count from the first",
        forge -> forge.gap = 1);
  }

  @Test
  void aNameThatIsOnlyInTheManifestIsNoticed() throws IOException {
    assertBroken(
        "names in the manifest are those of variables",
        forge -> forge.manifest.put("x", new Pair<>(0L, 24L)));
  }

  @Test
  void anArrayWithoutStubIsNoticed() throws IOException {
    assertBroken("appended arrays have a stub", forge -> forge.variables.get(0).remove(4));
    assertBroken("appended arrays have a stub", forge -> forge.array(0).remove(9));
  }

  @Test
  void aStubThatIsNotInTheManifestIsNoticed() throws IOException {
    assertBroken("stubs are in the manifest", forge -> forge.manifest.remove("a"));
  }

  @Test
  void aStubOutsideOfTheFileIsNoticed() throws IOException {
    assertBroken("stubs are not negative", forge -> forge.array(0).put(8, -1L));
    assertBroken("stubs are not negative", forge -> forge.array(0).put(9, -1L));
    assertBroken("stubs lie in the file", forge -> forge.array(0).put(9, Long.MAX_VALUE));
    assertBroken("stubs lie in the file", forge -> forge.array(0).put(8, Long.MAX_VALUE));
  }

  @Test
  void bytesThatNoLoaderReadsAreNotOurs() throws IOException {
    assertNotOurs("nothing follows the manifest", forge -> forge.trailer = 1);
    assertNotOurs(
        "arrays do not overlap",
        forge -> {
          forge.append("c", 7, new byte[10], 10);
          forge.manifest.put("b", new Pair<>(0L, 2L));
          forge.array(1).put(8, 0L);
        });
  }

  // Arrays

  @Test
  void anArrayOfAnotherSizeThanItsShapeIsNoticed() throws IOException {
    assertBroken(
        "arrays have the size of their shape",
        forge -> {
          shape(forge, 0, new long[] {2, 2});
          forge.array(0).remove(5);
        });
    assertBroken("a size is that of the array", forge -> forge.array(0).put(5, 20L));
    assertBroken(
        "arrays have the size of their shape", forge -> forge.array(2).put(1, new byte[8]));
    assertBroken(
        "arrays have the size of their shape", forge -> forge.array(3).put(1, new byte[4]));
  }

  @Test
  void aShapeThatIsNoShapeIsNoticed() throws IOException {
    assertBroken("dimensions are not negative", forge -> shape(forge, 0, new long[] {-2, -3}));
    assertBroken(
        "an array is smaller than 2 GiB",
        forge -> shape(forge, 0, new long[] {1L << 32, 1L << 32}));
    assertBroken("an array has at most 32 dimensions", forge -> shape(forge, 3, new long[33]));
    assertBroken("an array has a shape", forge -> forge.array(0).remove(0));
    assertBroken(
        "variable and array have one shape",
        forge -> forge.variables.get(0).put(3, new long[] {6}));
  }

  private static void shape(RealSdnbForge forge, int index, long[] shape) {
    forge.variables.get(index).put(3, shape);
    forge.array(index).put(0, shape);
  }

  @Test
  void anAppendedScalarIsNoticed() throws IOException {
    assertBroken("scalars are not appended", forge -> forge.append("c", 5, new byte[4]));
  }

  @Test
  void aScalarWithoutValueIsNoticed() throws IOException {
    assertBroken("a scalar has a value", forge -> forge.array(2).remove(1));
  }

  @Test
  void anAppendedArrayThatIsAlsoInlineIsNoticed() throws IOException {
    assertBroken(
        "appended arrays are not also in the FlatBuffer",
        forge -> forge.array(0).put(1, new byte[24]));
  }

  @Test
  void anArrayThatIsStoredInAnotherWayIsNoticed() throws IOException {
    assertBroken(
        "no array is divided into chunks",
        forge -> forge.array(0).put(4, List.of(table(0, 1L, 1, new byte[24]))));
    assertBroken("no array is in another file", forge -> forge.array(0).put(7, (byte) 1));
    assertBroken("no array is in another file", forge -> forge.array(0).put(6, List.of("x")));
    assertBroken("the order of an array is c or f", forge -> forge.array(0).put(3, (byte) 2));
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

  @Test
  void typesThatDifferAreNoticed() throws IOException {
    assertBroken(
        "variable and array have one type", forge -> forge.variables.get(0).put(2, (byte) 9));
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

  @Test
  void whatSomeLoaderIgnoresIsNotOurs() throws IOException {
    assertNotOurs(
        "arrays are in C order, which C++ assumes", forge -> forge.array(0).put(3, (byte) 1));
    assertNotOurs("stubs have the size of their array", forge -> forge.array(0).remove(5));
    assertNotOurs("empty arrays have no buffer", forge -> forge.array(3).put(1, new byte[0]));
    assertNotOurs("a variable has a shape", forge -> forge.variables.get(0).remove(3));
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
