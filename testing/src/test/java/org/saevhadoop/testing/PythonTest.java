package org.saevhadoop.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PythonTest {
  private static final Python PYTHON = Python.MACHINE;

  @Test
  void aScriptHasItsArgumentsAndItsInput() throws IOException, InterruptedException {
    String script = "import sys; print(sys.argv[1:], sys.stdin.read())";
    assertThat(PYTHON.run(script, 1, "a b")).containsExactly("['1', 'a b'] ");
    assertThat(PYTHON.lines("x\ny".getBytes(StandardCharsets.UTF_8), script))
        .containsExactly("[] x", "y");
  }

  @Test
  void linesAreAnsweredOneByOne() throws IOException, InterruptedException {
    String script = "def answer(line): return len(line)";
    byte[] carriageReturn = {'a', '\r', 'b'};
    assertThat(PYTHON.answers(script, List.of(carriageReturn, new byte[0])))
        .containsExactly("3", "0");
    assertThat(PYTHON.answers(script, List.of())).isEmpty();
  }

  @Test
  void aScriptThatFailsIsAnErrorWithWhatItPrinted() throws IOException, InterruptedException {
    String script = "import sys; print('so far'); sys.exit('and no further')";
    assertThatThrownBy(() -> PYTHON.run(script))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("so far", "and no further");
    assertThat(PYTHON.output("print('the next one runs')")).isEqualTo("the next one runs");
  }

  @Test
  void aWarningIsAnError() throws IOException, InterruptedException {
    String script = "import warnings; warnings.warn('deprecated')";
    assertThat(PYTHON.output("print(1)")).isEqualTo("1");
    assertThatThrownBy(() -> PYTHON.run(script)).hasMessageContaining("deprecated");
  }

  /** In CI that is a failure, and elsewhere the test is skipped; either ends it. */
  @Test
  void aModuleThatIsNotThereEndsTheTest() throws IOException, InterruptedException {
    assertThat(PYTHON.with("json")).isEqualTo(PYTHON);
    assertThatThrownBy(() -> PYTHON.with("no_such_module"))
        .hasMessageContaining("python3 with no_such_module");
    assertThat(PYTHON.has("json")).isTrue();
    assertThat(PYTHON.has("no_such_module")).isFalse();
  }

  @Test
  void aProgramThatIsNotThereEndsTheTest() throws IOException, InterruptedException {
    Programs.require("true");
    assertThat(Programs.succeeds("false")).isFalse();
    assertThatThrownBy(() -> Programs.require("no-such-program"))
        .hasMessageContaining("no-such-program");
    assertThatThrownBy(() -> Programs.output("no-such-program"))
        .hasMessageContaining("no-such-program");
    assertThatThrownBy(() -> Programs.output("false"))
        .isInstanceOf(AssertionError.class)
        .hasMessage("false failed: 1");
    assertThat(Programs.output("echo", "it")).asString().isEqualTo("it\n");
  }
}
