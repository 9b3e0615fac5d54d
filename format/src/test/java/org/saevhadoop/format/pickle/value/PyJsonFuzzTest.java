package org.saevhadoop.format.pickle.value;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.write.PickleWriter;

@Tag("late")
@Isolated
class PyJsonFuzzTest {
  @FuzzTest
  void anyLineIsRefusedOrItsValueIsWrittenTheSame(byte[] line) throws IOException {
    Object value;
    try {
      value = PyJson.parse("v", new String(line, StandardCharsets.UTF_8));
    } catch (FormatException e) {
      assertThat(e.getMessage()).startsWith("v: BAD_METADATA: ").doesNotContain("\n");
      return;
    }
    String text = PyJson.write("v", value, null, Integer.MAX_VALUE);
    Object again = PyJson.parse("v", text);
    assertThat(PyJson.write("v", again, null, text.length())).isEqualTo(text);
    new PickleWriter("v", 4, bytes -> bytes.position(bytes.limit())).value(again, null);
  }
}
