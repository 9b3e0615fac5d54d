package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FormatExceptionTest {
  private enum Shown implements ErrorKind {
    BAD_GLUE;

    @Override
    public boolean isShown() {
      return true;
    }
  }

  @Test
  void aMessageDoesNotGrowWithTheDocumentThatItQuotes() {
    String problem = "x".repeat(1_000_000);
    assertThat(FileError.TRUNCATED.of("a/b", null, problem, null))
        .hasMessage("a/b: " + problem.substring(0, 2000) + "...");
    assertThat(FileError.TRUNCATED.in("a/b", "is short")).hasMessage("a/b: is short");
  }

  @Test
  void aTemplateIsDividedIntoProblemPositionAndExpectation() {
    FormatException error =
        FileError.TRUNCATED.in(
            "a/b", "%s of %d%% is cut, at byte %,d (expected %s (or more))", "x", 7, 1000, "y");
    assertThat(error.problem()).isEqualTo("x of 7% is cut");
    assertThat(error.where()).isEqualTo("at byte " + String.format("%,d", 1000));
    assertThat(error.expected()).isEqualTo("y (or more)");
    assertThat(error.path()).isEqualTo("a/b");
    assertThat(error.kind()).isEqualTo(FileError.TRUNCATED);
    assertThat(error)
        .hasMessage("a/b: x of 7%% is cut, at byte %,d (expected y (or more))".formatted(1000));
  }

  @Test
  void argumentsAreNeverTakenForPartsOfTheTemplate() {
    FormatException error =
        FileError.TRUNCATED.in("a/b", "has %s", "a name, at byte 3 (expected %s)");
    assertThat(error.problem()).isEqualTo("has a name, at byte 3 (expected %s)");
    assertThat(error.where()).isNull();
    assertThat(error.expected()).isNull();
  }

  @Test
  void theKindStandsInTheMessageWhereItsFormatShowsKinds() {
    assertThat(Shown.BAD_GLUE.in("a/b", "is %s", "dry")).hasMessage("a/b: BAD_GLUE: is dry");
  }

  @Test
  void aCheckThrowsOnlyIfItsConditionDoesNotHold() throws FormatException {
    FileError.NOT_FOUND.check(true, "a/b", "is %s", Map.of());
    assertThatThrownBy(() -> FileError.NOT_FOUND.check(false, "a/b", "is %s", "gone"))
        .isInstanceOf(FormatException.class)
        .hasMessage("a/b: is gone");
  }

  @Test
  void anExceptionKeepsItsCause() {
    Exception cause = new ArithmeticException();
    assertThat(FileError.TOO_LARGE.in("a/b", "is large").causedBy(cause)).hasCause(cause);
    assertThat(new FormatException(FileError.TOO_LARGE, "a/b", null, "is large", null, cause))
        .hasCause(cause);
  }
}
