package org.saevhadoop.format.parquet.file;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class GuardedReadTest {
  @Test
  void aFailureOfWhatAcceptsTheValuesIsNoDamageOfTheFile() {
    IOException full = new IOException("No space left on device");
    assertThatThrownBy(
            () ->
                GuardedRead.of(
                    "x.parquet",
                    () -> {
                      throw new UncheckedIOException(full);
                    }))
        .isSameAs(full);
  }
}
