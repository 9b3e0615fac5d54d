package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PipedWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Output;

class JsonTextWriterTest {
  private static final JsonMapper JACKSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private static void document(JsonTextWriter json) throws IOException {
    json.beginObject();
    json.name("list");
    json.beginArray();
    json.beginArray();
    json.endArray();
    json.beginObject();
    json.endObject();
    json.number(new JsonNumber("1e-7"));
    json.number(new JsonNumber("NaN"));
    json.endArray();
    json.name("\u00e9");
    json.string("\u00e9");
    json.name("");
    json.literal("null");
    json.endObject();
  }

  private static String written(JsonStyle style) throws IOException {
    StringBuilder out = new StringBuilder();
    document(new JsonTextWriter(out, style));
    return out.toString();
  }

  @Test
  void separatorsIndentsAndNumbersAreThoseOfTheStyle() throws IOException {
    assertThat(written(JsonStyle.DEFAULT_SORTED))
        .isEqualTo("{\"list\": [[], {}, 1e-07, NaN], \"\\u00e9\": \"\\u00e9\", \"\": null}");
    assertThat(written(JsonStyle.STRICT))
        .isEqualTo("{\"list\":[[],{},1e-7,\"NaN\"],\"\\u00e9\":\"\\u00e9\",\"\":null}");
    assertThat(written(JsonStyle.ORJSON_DATACLASS))
        .isEqualTo("{\"list\":[[],{},1e-7,null],\"\u00e9\":\"\u00e9\",\"\":null}");
    assertThat(written(JsonStyle.ORJSON_FILE))
        .isEqualTo(
            """
            {
              "list": [
                [],
                {},
                1e-7,
                null
              ],
              "\u00e9": "\u00e9",
              "": null
            }""");
  }

  @Test
  void whatWasWrittenPartByPartReadsAsOneDocument() throws IOException {
    String text = written(JsonStyle.PYTHON_FILE);
    Object value = PythonJson.parse("text", text.getBytes(StandardCharsets.UTF_8));
    assertThat(PythonJson.dumps(value, JsonStyle.PYTHON_FILE)).isEqualTo(text);
  }

  @Test
  void aFailureOfTheReceiverPassesThrough() {
    assertThatThrownBy(() -> document(new JsonTextWriter(new PipedWriter(), JsonStyle.COMPACT)))
        .isInstanceOf(IOException.class)
        .hasMessage("Pipe not connected");
  }

  @Test
  void treesOfJacksonAreWrittenAsPythonWritesTheirTexts(@TempDir Path folder) throws IOException {
    JsonTexts texts = new JsonTexts(29);
    List<JsonNode> trees = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      String text = texts.document();
      trees.add(JACKSON.readTree(text));
      values.add(PythonJson.parse("text", text.getBytes(StandardCharsets.UTF_8)));
    }
    try (Output out = new LocalFolder(folder).create("trees.json")) {
      JsonNodeWriter.write(out, Map.of("trees", trees));
    }
    assertThat(Files.readString(folder.resolve("trees.json")))
        .isEqualTo(PythonJson.dumps(Map.of("trees", values), JsonStyle.indented(2)));
  }
}
