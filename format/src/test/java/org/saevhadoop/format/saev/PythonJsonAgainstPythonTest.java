package org.saevhadoop.format.saev;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.PythonJson.Style;

/** Where python3 is installed it is asked itself; CI must have it. */
class PythonJsonAgainstPythonTest {
  private static final String REJECTED = "rejected";

  private static final String SCRIPT =
      """
      import json, sys

      def answer(line):
          try:
              value = json.loads(line.decode("utf-8"))
          except ValueError:
              return "rejected"
          return "\\t".join([
              json.dumps(value, sort_keys=True),
              json.dumps(value, sort_keys=True, separators=(",", ":")),
              json.dumps(value, separators=(",", ":")),
              json.dumps(value, indent=4).replace("\\n", "\\r")])

      for line in sys.stdin.buffer.read().split(b"\\n")[:-1]:
          sys.stdout.buffer.write(answer(line).encode("ascii") + b"\\n")
      """;

  @TempDir Path temp;

  @Test
  void readsAndWritesWhatPythonReadsAndWrites() throws Exception {
    List<byte[]> lines = lines();
    List<String> theirs = askPython(lines);
    assertThat(theirs).hasSameSizeAs(lines);
    int rejected = 0;
    for (int i = 0; i < lines.size(); i++) {
      String text = new String(lines.get(i), StandardCharsets.UTF_8);
      assertThat(answer(lines.get(i))).as(text).isEqualTo(theirs.get(i));
      rejected += theirs.get(i).equals(REJECTED) ? 1 : 0;
    }
    assertThat(lines.size() - rejected).isGreaterThan(20_000);
    assertThat(rejected).isGreaterThan(2_000);
  }

  private static List<byte[]> lines() {
    JsonTexts texts = new JsonTexts(17);
    List<byte[]> lines = new ArrayList<>();
    texts.powers().forEach(text -> lines.add(text.getBytes(StandardCharsets.UTF_8)));
    for (int i = 0; i < 6_000; i++) {
      lines.add(texts.number().getBytes(StandardCharsets.UTF_8));
      lines.add(texts.document().getBytes(StandardCharsets.UTF_8));
      lines.add(texts.damaged());
    }
    return lines;
  }

  private static String answer(byte[] line) {
    try {
      Object value = PythonJson.parse("line", line);
      return String.join(
          "\t",
          PythonJson.dumps(value, Style.DEFAULT_SORTED),
          PythonJson.dumps(value, Style.COMPACT_SORTED),
          PythonJson.dumps(value, Style.COMPACT),
          PythonJson.dumps(value, Style.indented(4)).replace('\n', '\r'));
    } catch (FormatException e) {
      return REJECTED;
    }
  }

  private List<String> askPython(List<byte[]> lines) throws IOException, InterruptedException {
    ByteArrayOutputStream questions = new ByteArrayOutputStream();
    for (byte[] line : lines) {
      questions.write(line);
      questions.write('\n');
    }
    Path in = Files.write(temp.resolve("in"), questions.toByteArray());
    Path out = temp.resolve("out");
    Process python = start(in, out);
    assertThat(python.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(python.exitValue()).isZero();
    return List.of(Files.readString(out, StandardCharsets.US_ASCII).split("\n"));
  }

  private static Process start(Path in, Path out) throws IOException {
    try {
      return new ProcessBuilder("python3", "-c", SCRIPT)
          .redirectInput(in.toFile())
          .redirectOutput(out.toFile())
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      if ("true".equals(System.getenv("CI"))) {
        throw e;
      }
      Assumptions.abort("python3 is not installed");
      throw e;
    }
  }
}
