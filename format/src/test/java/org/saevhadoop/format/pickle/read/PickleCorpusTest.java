package org.saevhadoop.format.pickle.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickle.value.ScalarValue;

/** The corpus of real pickles, each with what it holds. */
@RequiresCorpus
class PickleCorpusTest {
  static List<Path> cases() throws IOException {
    try (Stream<Path> paths = Files.list(Corpus.part("pickle"))) {
      return paths.filter(Files::isDirectory).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyObjectIsTheOneThatIsExpected(Path folder) throws IOException {
    Path document = folder.resolve("expected.json");
    Map<?, ?> expected = new ObjectMapper().readValue(document.toFile(), Map.class);
    for (Object shard : (List<?>) expected.get("shards")) {
      Path file = folder.resolve((String) ((Map<?, ?>) shard).get("filename"));
      Loaded loaded;
      try {
        loaded = Loaded.of(StreamSource.of(file));
      } catch (FormatException e) {
        assertThat(expected.get("expect")).as(e.getMessage()).isEqualTo("ok-or-clear-error");
        continue;
      }
      assertShard(loaded, (Map<?, ?>) shard);
    }
  }

  private static void assertShard(Loaded loaded, Map<?, ?> shard) throws IOException {
    PythonValue.Dict top = (PythonValue.Dict) loaded.value();
    assertThat(top.kind().name().replace("_", "").replace("DEFAULTDICT", "defaultdict"))
        .isEqualToIgnoringCase((String) shard.get("top_level_type"));
    int at = 0;
    for (Object layer : (List<?>) shard.get("layers")) {
      Map<?, ?> expected = (Map<?, ?>) layer;
      // other keys may be between
      while (!loaded.told(top.key(at)).equals(Loaded.expected(expected.get("key")))) {
        at++;
      }
      List<Object> samples = items(top.value(at));
      List<?> expectedSamples = (List<?>) expected.get("samples");
      assertThat(samples).hasSameSizeAs(expectedSamples);
      for (int i = 0; i < samples.size(); i++) {
        assertSample(loaded, (PythonValue.Dict) samples.get(i), (Map<?, ?>) expectedSamples.get(i));
      }
    }
  }

  private static Object number(PythonValue.NumpyScalar scalar) {
    return ScalarValue.number(scalar.type(), scalar.bytes());
  }

  private static List<Object> items(Object layer) {
    if (layer instanceof PythonValue.Tuple tuple) {
      return tuple.items();
    }
    return ((PythonValue.PyList) layer).items();
  }

  private static void assertSample(Loaded loaded, PythonValue.Dict sample, Map<?, ?> expected)
      throws IOException {
    Map<Object, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < sample.size(); i++) {
      values.put(sample.key(i), sample.value(i));
    }
    // expected.json tells them in one order for all
    assertThat(values.keySet()).isEqualTo(new HashSet<>((List<?>) expected.get("keys")));
    assertArray(loaded, (PythonValue.NumpyArray) values.get("activation"), expected);
    assertThat(loaded.told(values.get("shape")))
        .isEqualTo(Loaded.expected(expected.get("shape_field")));
    assertThat(loaded.told(values.get("metadata")))
        .isEqualTo(Loaded.expected(expected.get("metadata")));
    assertText(loaded, values.get("text_preview"), expected);
    Object idx = values.get("sample_idx");
    boolean isNumpys = idx instanceof PythonValue.NumpyScalar;
    assertThat(
            isNumpys ? "numpy." + Loaded.typeName(((PythonValue.NumpyScalar) idx).type()) : "int")
        .isEqualTo(expected.get("sample_idx_type"));
    assertThat(isNumpys ? number((PythonValue.NumpyScalar) idx) : idx)
        .isEqualTo(Loaded.expected(expected.get("sample_idx")));
  }

  private static void assertArray(Loaded loaded, PythonValue.NumpyArray array, Map<?, ?> expected)
      throws IOException {
    Map<String, Object> told = loaded.told(array);
    for (String fact : List.of("dtype", "shape", "sha256_c_le")) {
      assertThat(told.get(fact)).as(fact).isEqualTo(Loaded.expected(expected.get(fact)));
    }
    assertThat(array.type().bigEndian()).isEqualTo(expected.get("stored_byteorder").equals("big"));
  }

  private static void assertText(Loaded loaded, Object text, Map<?, ?> expected)
      throws IOException {
    // text_npstr: told by its bytes
    if (!(text instanceof PythonValue.NumpyScalar)) {
      assertThat(loaded.told(text)).isEqualTo(expected.get("text_preview"));
    }
  }
}
