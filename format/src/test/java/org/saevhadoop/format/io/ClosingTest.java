package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {
  private final List<String> closed = new ArrayList<>();

  private Closeable failing(String name) {
    return () -> {
      closed.add(name);
      throw new IOException(name);
    };
  }

  @Test
  void allAreClosedIfSomeFail() {
    assertThatThrownBy(
            () -> Io.closeAll(List.of(failing("a"), () -> closed.add("b"), failing("c"))))
        .hasMessage("a")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(closed).containsExactly("a", "b", "c");
  }

  @Test
  void aFailureHasThoseOfClosingAsSuppressed() {
    IOException failure = new IOException("first");
    Io.closeAfter(failure, List.of(failing("a"), failing("b")));
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(closed).containsExactly("a", "b");
  }
}
