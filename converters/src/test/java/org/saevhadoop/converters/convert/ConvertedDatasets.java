package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;

/** Datasets that a conversion has written, and their digests. */
public abstract class ConvertedDatasets {
  @TempDir Path folder;

  /** The bytes of the tensor {@code labels} of all parts, as its offsets say. */
  static byte[] labelsIn(Path dataset) throws IOException {
    ByteArrayOutputStream labels = new ByteArrayOutputStream();
    for (String name : files(dataset)) {
      if (name.endsWith(".safetensors")) {
        byte[] part = Files.readAllBytes(dataset.resolve(name));
        int n = (int) ByteBuffer.wrap(part).order(ByteOrder.LITTLE_ENDIAN).getLong();
        JsonNode tensor = new ObjectMapper().readTree(part, 8, n).get("labels");
        assertThat(tensor.get("dtype").asText()).isEqualTo("U8");
        int begin = 8 + n + tensor.get("data_offsets").get(0).asInt();
        int end = 8 + n + tensor.get("data_offsets").get(1).asInt();
        int examples = tensor.get("shape").get(0).asInt();
        assertThat(end - begin).isEqualTo(examples * tensor.get("shape").get(1).asInt());
        assertThat(end).isEqualTo(part.length);
        labels.write(part, begin, end - begin);
      }
    }
    return labels.toByteArray();
  }

  static void toSafetensors(Path from, Path to, String columns, int batch, String setting) {
    Cli.convert(
            from, to, "safetensors --columns " + columns + " --batch-size " + batch, "-D", setting)
        .succeeds();
  }

  /** Damages the JSON of a header, which is found only when the file is read. */
  public static void breakHeader(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[8] = '[';
    Files.write(file, bytes);
  }

  static String hashOf(Path dataset) throws IOException {
    return Cli.run("inspect", dataset, "--json").json().get("hash").asText();
  }

  public static String digest(Path dataset) {
    return Cli.run("digest", dataset).succeeds().text();
  }

  static List<String> tensorNames(Path dataset) throws IOException {
    Path part = dataset.resolve(files(dataset).get(1));
    return Cli.run("inspect", part, "--json").json().get("tensors").findValuesAsText("name");
  }

  public static void assertSameFiles(Path found, Path expected) throws IOException {
    assertThat(files(found)).isEqualTo(files(expected));
    for (String name : files(expected)) {
      assertThat(found.resolve(name)).hasSameBinaryContentAs(expected.resolve(name));
    }
  }

  public static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }
}
