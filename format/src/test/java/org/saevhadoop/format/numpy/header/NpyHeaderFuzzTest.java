package org.saevhadoop.format.numpy.header;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryInput;

/** No bytes do worse than an {@link NpyError}. Its inputs are beside it in the resources. */
@Tag("late")
@Isolated
class NpyHeaderFuzzTest {
  @FuzzTest(maxDuration = "6h")
  void whatIsReadIsWrittenAndReadTheSame(byte[] file) throws IOException {
    NpyHeader read;
    try {
      read = NpyHeader.read(new MemoryInput("fuzz", file));
    } catch (FormatException e) {
      assertThat(e.kind()).isInstanceOf(NpyError.class);
      assertThat(e).hasMessageStartingWith("fuzz: ").message().doesNotContain("\n");
      return;
    }
    assertThat(read.dataOffset() + read.length()).isLessThanOrEqualTo(file.length);
    byte[] header = NpyHeader.encode("fuzz", read.type(), read.fortranOrder(), read.shape());
    byte[] again = Arrays.copyOf(header, header.length + (int) read.length());
    assertThat(NpyHeader.read(new MemoryInput("again", again)))
        .isEqualTo(new NpyHeader(read.type(), read.fortranOrder(), read.shape(), header.length));
  }
}
