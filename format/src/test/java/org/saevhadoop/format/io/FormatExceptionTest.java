package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FormatExceptionTest {
  @Test
  void aMessageDoesNotGrowWithTheDocumentThatItQuotes() {
    String problem = "x".repeat(1_000_000);
    assertThat(new FormatException("a/b", problem))
        .hasMessage("a/b: " + problem.substring(0, 2000) + "...");
    assertThat(new FormatException("a/b", "is short")).hasMessage("a/b: is short");
  }
}
