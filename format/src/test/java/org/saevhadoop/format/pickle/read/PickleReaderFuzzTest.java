package org.saevhadoop.format.pickle.read;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;

/** No bytes do worse than a {@link FormatException}. Its inputs are beside it in the resources. */
@Tag("late")
@Isolated
class PickleReaderFuzzTest {
  private static final Set<String> KINDS =
      Stream.of(PickleError.values()).map(Enum::name).collect(Collectors.toSet());

  /** Small, so that the fuzzer meets the limits. */
  private static final PickleLimits LIMITS =
      new PickleLimits(1 << 18, 1 << 10, 40, 1 << 14, 64, 4000, 8, 1 << 16);

  private static final MemoryPayloads PAYLOADS = new MemoryPayloads(1 << 20);
  private static final ByteBuffer BUFFER = ByteBuffer.allocate(97);
  private static final int MAX_READ = 1000;

  private static int toRead;

  @DictionaryFile(resourcePath = "pickle.dict")
  @FuzzTest(maxDuration = "6h")
  void anyBytesAreReadOrRefused(byte[] pickle) throws IOException {
    PAYLOADS.clear();
    Object value;
    try {
      value = PickleReader.read(StreamSource.of(pickle), PAYLOADS, LIMITS, id -> id, BUFFER);
    } catch (FormatException e) {
      assertIsOfAKind(e);
      return;
    }
    if (PAYLOADS.length() > pickle.length) {
      throw new AssertionError("more payload than bytes");
    }
    toRead = MAX_READ;
    readArrays(value, 0);
  }

  /** Without equals(), at each of which the fuzzer looks for something to learn. */
  private static void assertIsOfAKind(FormatException e) {
    String message = e.getMessage();
    int begin = e.path().length() + 2;
    boolean isOneLine = message.chars().allMatch(c -> c >= ' ' && c <= '~');
    if (!isOneLine || !KINDS.contains(message.substring(begin, message.indexOf(':', begin)))) {
      throw new AssertionError("of no kind", e);
    }
  }

  /** Reads what is within a few steps: values may contain themselves, and many times. */
  private static void readArrays(Object value, int depth) throws IOException {
    if (depth > 4 || --toRead < 0) {
      return;
    }
    if (value instanceof PythonValue.NumpyArray array) {
      long[] count = new long[1];
      new ArrayBytes(PAYLOADS, 64).copy(array, piece -> count[0] += piece.remaining());
      if (count[0] != array.bytes()) {
        throw new AssertionError(
            count[0] + " bytes of an array of " + Arrays.toString(array.shape()));
      }
    } else if (value instanceof PythonValue.PyList list) {
      for (int i = 0; i < list.size(); i++) {
        readArrays(list.get(i), depth + 1);
      }
    } else if (value instanceof PythonValue.Tuple tuple) {
      for (Object item : tuple.items()) {
        readArrays(item, depth + 1);
      }
    } else if (value instanceof PythonValue.Dict dict) {
      for (int i = 0; i < dict.size(); i++) {
        readArrays(dict.value(i), depth + 1);
      }
    }
  }
}
