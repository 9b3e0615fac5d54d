package org.saevhadoop.format.saev.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.JsonTexts;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.testing.Python;

/** The metadata of 2.1 that we write, as python3 reads it. */
@Tag("python")
class MigrationAgainstPythonTest {
  /** What 2.1's own loader and its {@code make_data_cfg} do with the file. */
  private static final String LOAD =
      """
      import base64, json, pickle

      def answer(line):
          metadata = json.loads(line)
          assert metadata["pixel_agg"] in ("majority", "prefer-fg")
          assert type(metadata["dataset"]) is str
          text = pickle.loads(base64.b64decode(metadata["data"], validate=True))
          assert type(text) is str
          return json.dumps(json.loads(text), separators=(",", ":"))
      """;

  @Test
  void dataOfTwoOneIsAPickledTextThatPythonReads() throws Exception {
    JsonTexts texts = new JsonTexts(5);
    List<byte[]> lines = new ArrayList<>();
    List<String> ours = new ArrayList<>();
    Map<String, Object> values = new LinkedHashMap<>();
    ((Map<?, ?>) HostileMetadata.parse(GenerationsTest.text("v100")))
        .forEach((key, value) -> values.put((String) key, value));
    for (int i = 0; i < 2_000; i++) {
      Object data = HostileMetadata.parse(texts.object(3));
      values.put("data", data);
      SaevMetadata metadata = HostileMetadata.metadata(values, ProtocolGeneration.V1_0);
      lines.add(metadata.to(ProtocolGeneration.V2_1).text());
      ours.add(PythonJson.dumps(data, JsonStyle.COMPACT));
    }
    SaevMetadata legacy = GenerationsTest.metadata("v1");
    lines.add(legacy.to(ProtocolGeneration.V2_1).text());
    ours.add(
        "{\"repr\":\"ImageFolder(root='/data/\\u00e9\\ud83d\\ude00\\u007f/train')\",\"seed\":42,"
            + "\"__class__\":\"ImageFolder\"}");
    List<byte[]> flat = lines.stream().map(MigrationAgainstPythonTest::onOneLine).toList();
    assertThat(Python.MACHINE.answers(LOAD, flat)).isEqualTo(ours);
  }

  private static byte[] onOneLine(byte[] text) {
    return new String(text, StandardCharsets.UTF_8)
        .replace("\n", "")
        .getBytes(StandardCharsets.UTF_8);
  }
}
