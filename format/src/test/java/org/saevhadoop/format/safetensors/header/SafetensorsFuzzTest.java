package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.testing.Allocation;

/** No bytes do worse than a {@link FormatException}. Its inputs are beside it in the resources. */
@Tag("late")
@Isolated
class SafetensorsFuzzTest {
  private static final Set<String> KINDS =
      Stream.of(SafetensorsError.values()).map(Enum::name).collect(Collectors.toSet());
  private static final int MAX_BESIDE_THE_FILE = 1 << 20;

  @FuzzTest
  void anyBytesAreReadOrRefused(byte[] file) throws IOException {
    SafetensorsHeader header;
    try {
      header = read(file, HeaderStrictness.LENIENT);
    } catch (FormatException e) {
      assertIsOfAKind(e);
      // exceptions are slow: some are enough
      if (Arrays.hashCode(file) % 8 == 0) {
        assertStrictRefuses(file, e.getMessage());
      }
      return;
    }
    assertStrictAgrees(file, header);
    assertCanBeWrittenAndReadAgain(file, header);
  }

  /** Without equals(), at each of which the fuzzer looks for something to learn. */
  private static void assertIsOfAKind(FormatException e) {
    String message = e.getMessage();
    int begin = MemoryFile.PATH.length() + 2;
    if (!KINDS.contains(message.substring(begin, message.indexOf(':', begin)))) {
      throw new AssertionError("of no kind", e);
    }
  }

  private static SafetensorsHeader read(byte[] file, HeaderStrictness strictness)
      throws IOException {
    return Allocation.atMost(
        file.length + MAX_BESIDE_THE_FILE,
        () -> SafetensorsHeader.read(MemoryFile.input(file), strictness));
  }

  private static void assertStrictRefuses(byte[] file, String message) throws IOException {
    try {
      read(file, HeaderStrictness.STRICT);
    } catch (FormatException e) {
      if (e.getMessage().hashCode() != message.hashCode()) {
        throw new AssertionError("not the reference's error: " + message, e);
      }
      return;
    }
    throw new AssertionError("only strict reading accepts what is " + message);
  }

  private static void assertStrictAgrees(byte[] file, SafetensorsHeader lenient)
      throws IOException {
    try {
      SafetensorsHeader strict = read(file, HeaderStrictness.STRICT);
      assertThat(strict.tensors()).isEqualTo(lenient.tensors());
      assertThat(strict.metadata()).isEqualTo(lenient.metadata());
    } catch (FormatException e) {
      assertThat(e)
          .hasMessageStartingWith(MemoryFile.PATH + ": InvalidHeaderDeserialization: byte ")
          .hasMessageContaining("; --lenient accepts it");
    }
  }

  private static void assertCanBeWrittenAndReadAgain(byte[] file, SafetensorsHeader header)
      throws IOException {
    List<TensorSpec> specs =
        header.tensors().stream().map(t -> new TensorSpec(t.name(), t.dtype(), t.shape())).toList();
    EncodedHeader encoded = SafetensorsHeader.encode(specs, header.metadata());
    assertThat(encoded.dataBytes()).isEqualTo(file.length - header.dataStart());
    byte[] written = Arrays.copyOf(encoded.toByteArray(), (int) encoded.fileBytes());
    SafetensorsHeader again = read(written, HeaderStrictness.STRICT);
    assertThat(again.metadata()).isEqualTo(header.metadata());
    assertThat(again.tensors()).isEqualTo(encoded.tensors());
    for (TensorInfo tensor : header.tensors()) {
      assertThat(header.tensor(tensor.name())).contains(tensor);
      TensorInfo same = again.tensor(tensor.name()).orElseThrow();
      assertThat(same.dtype()).isEqualTo(tensor.dtype());
      assertThat(same.shape()).isEqualTo(tensor.shape());
    }
  }
}
