package org.saevhadoop.format.saev.metadata;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.JsonTexts;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.testing.Python;

/**
 * Texts of metadata, which are hashed, as python3 dumps them. {@code -Dsaev.json.objects=10000000}
 * asks it about so many objects, {@code -Dsaev.json.seed=1} about others.
 */
@Tag("python")
@Tag("sampled")
class MetadataDumpsAgainstPythonTest {
  private static final int CHUNK = 5_000;

  private static final String DUMP_SORTED =
      """
      import json
      spaced = json.JSONEncoder(sort_keys=True).encode
      compact = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode

      def answer(line):
          value = json.loads(line)
          return spaced(value) + "\\t" + compact(value)
      """;

  @Test
  void objectsLikeMetadataAreDumpedAsPythonDumpsThem(TestReporter reporter) throws Exception {
    long objects = Long.getLong("saev.json.objects", TestExtent.of(5_000, 20_000));
    long seed = Long.getLong("saev.json.seed", 17);
    long bytes = 0;
    long done = 0;
    long start = System.nanoTime();
    while (done < objects) {
      MetadataTexts texts = new MetadataTexts(seed * 1_000_003 + done);
      List<byte[]> lines = new ArrayList<>(CHUNK);
      for (int i = 0; i < Math.min(CHUNK, objects - done); i++) {
        lines.add(texts.object());
      }
      List<String> ours = lines.stream().map(MetadataDumpsAgainstPythonTest::sorted).toList();
      JsonTexts.assertSame(lines, ours, Python.MACHINE.answers(DUMP_SORTED, lines));
      done += lines.size();
      bytes += ours.stream().mapToLong(String::length).sum();
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    reporter.publishEntry(
        "%d objects of seed %d, %d bytes of dumps, %d s".formatted(done, seed, bytes, seconds));
  }

  private static String sorted(byte[] line) {
    try {
      Object value = PythonJson.parse("line", line);
      return PythonJson.dumps(value, JsonStyle.DEFAULT_SORTED)
          + "\t"
          + PythonJson.dumps(value, JsonStyle.COMPACT_SORTED);
    } catch (FormatException e) {
      return e.getMessage();
    }
  }
}
