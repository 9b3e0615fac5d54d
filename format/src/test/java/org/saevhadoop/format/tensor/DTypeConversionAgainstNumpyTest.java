package org.saevhadoop.format.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.testing.Python;

/**
 * Compares the conversions with numpy's casts, bit for bit; numpy has no BF16, so that is integer
 * arithmetic there, or for F64 the rounding of scaled numbers, itself compared with ml_dtypes where
 * that is installed. {@code -Dsaev.conversion.seed=1} asks about other random numbers.
 */
@Tag("python")
@Tag("sampled")
@Execution(ExecutionMode.CONCURRENT)
@Isolated("needs most of the heap with -P long")
class DTypeConversionAgainstNumpyTest {
  /** Writes chunks: how many elements, the elements, and what they become in each type. */
  private static final String ANSWERS =
      """
      import sys, numpy as np
      np.seterr(all="ignore")
      case, source, targets = sys.argv[1], sys.argv[2], sys.argv[3].split(",")
      rng, size = np.random.default_rng(int(sys.argv[4])), int(sys.argv[5])
      NAMES = dict(F16="<f2", F32="<f4", F64="<f8", BF16="<u2")
      dtype = lambda name: np.dtype(NAMES.get(name) or "<" + name[0].lower() + str(int(name[1:]) // 8))

      def quiet(x):
          u = x.view("<u%d" % x.dtype.itemsize)
          return ((u >> (u.itemsize * 8 - 1) << 15) | 0x7FC0).astype("<u2")

      def bfloat_of_single(x):
          u = x.view("<u4").astype(np.uint64)
          rounded = (u + 0x7FFF + ((u >> 16) & 1)) >> 16
          return np.where(np.isnan(x), quiet(x), rounded).astype("<u2")

      def bfloat_of_double(x):
          exponent = np.maximum(np.frexp(x)[1] - 1, -126)
          rounded = np.ldexp(np.rint(np.ldexp(np.ldexp(x, 7 - exponent // 2), exponent // 2 - exponent)),
                             exponent - 7)
          single = rounded.astype("<f4").view("<u4") >> 16
          return np.where(np.isnan(x), quiet(x), single).astype("<u2")

      def half_of_bfloat(x):
          nan = (x >> 15 << 15) | 0x7E00
          single = (x.astype("<u4") << 16).view("<f4")
          return np.where(np.isnan(single), nan, single.astype("<f2").view("<u2")).astype("<u2")

      def numpy_only(x, target):
          if source == "BF16":
              if target == "F16":
                  return half_of_bfloat(x)
              x = (x.astype("<u4") << 16).view("<f4")
          if target == "BF16":
              if x.dtype.kind == "f" and x.dtype.itemsize < 8:
                  return bfloat_of_single(x.astype("<f4"))
              return bfloat_of_double(x.astype("<f8"))
          return x.astype(dtype(target))

      try:
          from ml_dtypes import bfloat16
      except ImportError:
          bfloat16 = None

      def convert(x, target):
          result = numpy_only(x, target)
          if bfloat16 and "BF16" in (source, target):
              typed = x.view(bfloat16) if source == "BF16" else x
              other = typed.astype(bfloat16 if target == "BF16" else dtype(target))
              # ml_dtypes rounds F64 to F32 first
              compared = np.isnan(typed) if source == "F64" else slice(None)
              assert other[compared].tobytes() == result[compared].tobytes(), (source, target)
          return result

      def write(x):
          sys.stdout.buffer.write(len(x).to_bytes(4, "little") + x.tobytes())
          for target in targets:
              sys.stdout.buffer.write(convert(x, target).tobytes())

      def random_bits(count):
          return rng.integers(0, 256, count * dtype(source).itemsize, np.uint8).view(dtype(source))

      def beside(x):
          u = x.view("<u%d" % x.dtype.itemsize)
          return np.concatenate([(u + np.array(d).astype(u.dtype)).view(x.dtype) for d in range(-3, 4)])

      if case == "all":
          write(np.arange(65536, dtype="<u2").view(dtype(source)))
      elif case == "random":
          write(random_bits(size))
      elif case == "edges":
          step = 1000000 // size
          bits = np.arange(65536, dtype="<u4")
          # the powers of two, where exponents change, are multiples of 128 in both types
          bits = bits[(bits % step == 0) | ((bits + 4) % 128 < 8)]
          if targets == ["F16"]:
              bits = bits[np.isfinite(bits.astype("<u2").view("<f2"))]
              number = bits.astype("<u2").view("<f2").astype("<f8")
              after = (bits + 1).astype("<u2").view("<f2").astype("<f8")
              after[np.isinf(after)] = np.copysign(65536, number[np.isinf(after)])
          elif targets == ["BF16"]:
              bits = bits[np.isfinite((bits << 16).view("<f4"))]
              number = (bits << 16).view("<f4").astype("<f8")
              after = (bits + 1 << 16).view("<f4").astype("<f8")
              after[np.isinf(after)] = np.copysign(2.0 ** 128, number[np.isinf(after)])
          else:
              some = rng.integers(0, 1 << 32, size, np.uint32).view("<f4")
              number = some[np.isfinite(some)].astype("<f8")
              after = np.nextafter(number.astype("<f4"), np.float32(np.inf)).astype("<f8")
              after[np.isinf(after)] = 2.0 ** 128
          for x in (number, after, (number + after) / 2, (3 * number + after) / 4):
              write(beside(x.astype(dtype(source))))
          # an odd distance, so that all bits vary
          payload = np.arange(0, 1 << 23, 8 * step * step - 1, dtype="<u8")
          if source == "F32":
              for sign in (0x7F800000, 0xFF800000):
                  write((payload | sign).astype("<u4").view("<f4"))
          else:
              nans = rng.integers(0, 1 << 52, size, np.uint64) >> rng.integers(0, 52, size, np.uint64)
              for sign in (0x7FF << 52, 0xFFF << 52):
                  write((nans | np.uint64(sign)).view("<f8"))
                  write(((payload << 29) | np.uint64(sign)).view("<f8"))
      elif case == "numbers":
          low, high = [float(a) for a in sys.argv[6:8]]
          x = rng.uniform(low, high, size) * 2.0 ** -rng.integers(0, 20, size)
          write(x.astype(dtype(source)))
      """;

  private static final long SEED = Long.getLong("saev.conversion.seed", 0);
  private static final int SIZE = TestExtent.of(100_000, 1_000_000);

  @ParameterizedTest
  @ValueSource(strings = {"F16 F32,F64,BF16", "BF16 F32,F64,F16"})
  void everyHalfIsAsInNumpy(String types) throws Exception {
    assertThat(compare("all " + types)).isEqualTo(1 << 16);
  }

  @ParameterizedTest
  @ValueSource(strings = {"F32 F16,BF16,F64", "F64 F16,BF16,F32"})
  void randomFloatsAreAsInNumpy(String types) throws Exception {
    for (int i = 0; i < TestExtent.of(1, 10); i++) {
      assertThat(compare("random " + types, SEED + i)).isEqualTo(SIZE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"F32 F16", "F32 BF16", "F64 F16", "F64 BF16", "F64 F32", "F32 F64"})
  void edgesHalfWaysAndPayloadsAreAsInNumpy(String types) throws Exception {
    assertThat(compare("edges " + types)).isGreaterThan(SIZE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "F32 F16,BF16 -9 9", "F32 F16,BF16 -65519 65519", "F32 F16,BF16 0 1e-6",
        "F64 F16,BF16,F32 -9 9", "F64 F16,BF16,F32 -65519 65519", "F64 F16,BF16,F32 0 1e-6"
      })
  void ordinaryNumbersAreAsInNumpy(String numbers) throws Exception {
    assertThat(compare("numbers " + numbers)).isEqualTo(SIZE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"I8", "U8", "I16", "U16", "I32", "U32", "I64", "U64"})
  void integersBecomeOthersAndFloatsAsInNumpy(String from) throws Exception {
    String to = "I8,U8,I16,U16,I32,U32,I64,U64,F32,F64".replaceFirst("\\b" + from + "\\b,", "");
    assertThat(compare("random " + from + " " + to)).isEqualTo(SIZE);
  }

  /** Wider ones are compared with exact arithmetic, in RoundingPolicyTest. */
  @ParameterizedTest
  @ValueSource(strings = {"I8", "U8", "I16", "U16"})
  void shortIntegersBecomeTheHalfFloatsOfNumpy(String from) throws Exception {
    assertThat(compare("random " + from + " F16")).isEqualTo(SIZE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "F32 I8 -128.9 127.9",
        "F32 U8 -0.9 255.9",
        "F64 I16 -32768.9 32767.9",
        "F16 U16 -0.9 65504",
        "F32 I32 -2147483648 2147483520",
        "F64 U32 -0.9 4294967295.9",
        "F64 I64 -9.2e18 9.2e18",
        "F64 U64 -0.9 1.8e19",
        "F32 U64 0 1.8e19",
        "F16 I64 -65504 65504"
      })
  void floatsAreCutOffAsInNumpy(String numbers) throws Exception {
    assertThat(compare("numbers " + numbers)).isEqualTo(SIZE);
  }

  /** The number of elements that are what python3 with numpy says, in every type. */
  private static long compare(String words) throws Exception {
    return compare(words, SEED);
  }

  private static long compare(String words, long seed) throws Exception {
    String[] args = words.split(" ");
    DType from = DType.valueOf(args[1]);
    List<DTypeConversion> conversions =
        Stream.of(args[2].split(","))
            .map(
                to ->
                    DTypeConversion.of(
                        from, DType.valueOf(to), RoundingPolicy.NEAREST_EVEN, RangePolicy.WRAP))
            .toList();
    List<Object> all = new ArrayList<>(List.of(args[0], args[1], args[2], seed, SIZE));
    all.addAll(List.of(args).subList(3, args.length));
    byte[] answer = Python.MACHINE.with("numpy").bytes(new byte[0], ANSWERS, all.toArray());
    ByteBuffer chunks = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
    while (chunks.hasRemaining()) {
      int count = chunks.getInt();
      ByteBuffer source = next(chunks, count * (from.bits() / 8));
      for (DTypeConversion conversion : conversions) {
        ByteBuffer expected = next(chunks, count * (conversion.to().bits() / 8));
        demandSame(conversion, source.duplicate(), expected);
      }
    }
    return conversions.get(0).changes().values();
  }

  private static ByteBuffer next(ByteBuffer chunks, int bytes) {
    ByteBuffer next = chunks.slice(chunks.position(), bytes);
    chunks.position(chunks.position() + bytes);
    return next;
  }

  private static void demandSame(
      DTypeConversion conversion, ByteBuffer source, ByteBuffer expected) {
    ByteBuffer found = Elements.converted(conversion, source);
    int mismatch = found.mismatch(expected);
    if (mismatch >= 0) {
      int i = mismatch / (conversion.to().bits() / 8);
      throw new AssertionError(
          "%s %x became %s %x, not %x"
              .formatted(
                  conversion.from(),
                  Elements.bits(conversion.from(), source)[i],
                  conversion.to(),
                  Elements.bits(conversion.to(), found)[i],
                  Elements.bits(conversion.to(), expected)[i]));
    }
  }
}
