package org.saevhadoop.format.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.io.FormatException;

/** The corpus of real pickles, each with what it holds. */
class PickleCorpusTest {
  private static List<Path> cases() throws IOException {
    try (Stream<Path> paths = Files.list(Corpus.part("pickle"))) {
      return paths.filter(Files::isDirectory).sorted().toList();
    }
  }

  private static Map<?, ?> expected(Path folder) throws IOException {
    return new ObjectMapper().readValue(folder.resolve("expected.json").toFile(), Map.class);
  }

  @Test
  void everyObjectIsTheOneThatIsExpected() throws IOException {
    int checked = 0;
    for (Path folder : cases()) {
      Map<?, ?> expected = expected(folder);
      for (Object shard : (List<?>) expected.get("shards")) {
        Map<?, ?> content = (Map<?, ?>) shard;
        Path file = folder.resolve((String) content.get("filename"));
        Loaded loaded;
        try {
          loaded = Loaded.of(StreamSource.of(file));
        } catch (FormatException e) {
          if (!expected.get("expect").equals("ok-or-clear-error")) {
            throw new AssertionError(folder.getFileName().toString(), e);
          }
          System.out.println("  " + e.getMessage());
          continue;
        }
        assertIsExpected(folder.getFileName().toString(), loaded, content);
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(100);
  }

  private static void assertIsExpected(String name, Loaded loaded, Map<?, ?> shard)
      throws IOException {
    Py.Dict top = (Py.Dict) loaded.value();
    assertThat(top.kind().name().replace("_", ""))
        .isEqualToIgnoringCase((String) shard.get("top_level_type"));
    List<?> layers = (List<?>) shard.get("layers");
    int at = 0;
    for (Object layer : layers) {
      Map<?, ?> expected = (Map<?, ?>) layer;
      while (!told(loaded, top.key(at)).equals(Loaded.expected(expected.get("key")))) {
        at++;
      }
      Object value = top.value(at);
      List<Object> samples = new ArrayList<>();
      if (value instanceof Py.Tuple tuple) {
        samples.addAll(tuple.items());
      } else {
        for (int i = 0; i < ((Py.PyList) value).size(); i++) {
          samples.add(((Py.PyList) value).get(i));
        }
      }
      List<?> expectedSamples = (List<?>) expected.get("samples");
      assertThat(samples).as(name).hasSameSizeAs(expectedSamples);
      for (int i = 0; i < samples.size(); i++) {
        assertSample(
            name + " " + i, loaded, (Py.Dict) samples.get(i), (Map<?, ?>) expectedSamples.get(i));
      }
    }
  }

  private static Object told(Loaded loaded, Object value) throws IOException {
    // integers of Jackson's are of the least class that holds them
    return widened(loaded.told(value));
  }

  private static Object widened(Object value) {
    return value;
  }

  private static void assertSample(String name, Loaded loaded, Py.Dict sample, Map<?, ?> expected)
      throws IOException {
    Map<Object, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < sample.size(); i++) {
      values.put(sample.key(i), sample.value(i));
    }
    // expected.json tells them in one order for all
    assertThat(values.keySet()).as(name).isEqualTo(new HashSet<>((List<?>) expected.get("keys")));
    Py.NumpyArray array = (Py.NumpyArray) values.get("activation");
    Map<String, Object> told = loaded.told(array);
    assertThat(told.get("dtype")).as(name).isEqualTo(expected.get("dtype"));
    assertThat(told.get("shape")).as(name).isEqualTo(Loaded.expected(expected.get("shape")));
    assertThat(told.get("sha256_c_le")).as(name).isEqualTo(expected.get("sha256_c_le"));
    boolean isBig = expected.get("stored_byteorder").equals("big");
    assertThat(array.type().bigEndian()).as(name).isEqualTo(isBig);
    assertThat(told(loaded, values.get("shape")))
        .as(name)
        .isEqualTo(Loaded.expected(expected.get("shape_field")));
    Object preview = told(loaded, values.get("text_preview"));
    if (!(values.get("text_preview") instanceof Py.NumpyScalar)) {
      assertThat(preview).as(name).isEqualTo(expected.get("text_preview"));
    }
    assertThat(told(loaded, values.get("metadata")))
        .as(name)
        .isEqualTo(Loaded.expected(expected.get("metadata")));
    Object idx = values.get("sample_idx");
    String type =
        idx instanceof Py.NumpyScalar scalar ? "numpy." + Loaded.typeName(scalar.type()) : "int";
    assertThat(type).isEqualTo(expected.get("sample_idx_type"));
    Object number = idx instanceof Py.NumpyScalar scalar ? Keys.integer(scalar) : idx;
    assertThat(number).isEqualTo(Loaded.expected(expected.get("sample_idx")));
  }
}
