package org.saevhadoop.format.pickle.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;

/** The corpus of hostile pickles, each with the error that is asked for. */
@RequiresCorpus
class PickleBadCorpusTest {
  private static final Set<String> GROUPS = Set.of("exec", "mem", "numpy", "stream", "hazard");

  /** What only the reader of datasets can tell. */
  private static final Set<String> NOT_OURS =
      Set.of("SCHEMA", "DUPLICATE_LAYER", "DUPLICATE_SAMPLE", "UNSUPPORTED_MUTATION");

  private static final int MAX_KEPT = 1 << 20;

  static Stream<Map<?, ?>> cases() throws IOException {
    Path file = Corpus.part("pickle-bad").resolve("cases.json");
    return Stream.of(new ObjectMapper().readValue(file.toFile(), Map[].class))
        .<Map<?, ?>>map(one -> one)
        .filter(one -> GROUPS.contains(one.get("group")));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aHostilePickleIsRefusedAsItMustBeOrIsWhatCpythonLoads(Map<?, ?> expected)
      throws IOException {
    Path file = Corpus.part("pickle-bad").resolve((String) expected.get("file"));
    List<String> allowed =
        Arrays.asList(((String) expected.get("error")).replaceAll(" \\(.*\\)", "").split(" or "));
    Loaded loaded;
    try {
      loaded = Loaded.of(StreamSource.of(file), PickleLimits.DEFAULT, MAX_KEPT);
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith(file + ": ");
      assertThat(e.getMessage().substring(file.toString().length() + 2).split(":")[0])
          .isIn(allowed);
      return;
    }
    assertThat(allowed).anyMatch(error -> error.equals("OK") || NOT_OURS.contains(error));
    if (expected.containsKey("cpython_object")) {
      assertThat(layers(loaded)).isEqualTo(Loaded.expected(expected.get("cpython_object")));
    }
  }

  /** As the corpus tells what CPython loads: keys and ids in Python's notation. */
  private static List<Object> layers(Loaded loaded) throws IOException {
    List<Object> layers = new ArrayList<>();
    PythonValue.Dict top = (PythonValue.Dict) loaded.value();
    for (int i = 0; i < top.size(); i++) {
      List<Object> samples = new ArrayList<>();
      PythonValue.PyList list = (PythonValue.PyList) top.value(i);
      for (int j = 0; j < list.size(); j++) {
        samples.add(sample(loaded, (PythonValue.Dict) list.get(j)));
      }
      layers.add(List.of("'" + top.key(i) + "'", samples));
    }
    return layers;
  }

  private static Map<String, Object> sample(Loaded loaded, PythonValue.Dict sample)
      throws IOException {
    Map<String, Object> told = new LinkedHashMap<>();
    for (int i = 0; i < sample.size(); i++) {
      if (sample.key(i).equals("sample_idx")) {
        told.put("sample_idx", "" + sample.value(i));
      } else if (sample.value(i) instanceof PythonValue.NumpyArray array) {
        Map<String, Object> content = loaded.told(array);
        told.put("shape", content.get("shape"));
        told.put("dtype", content.get("dtype"));
        told.put("sha256_c", content.get("sha256_c_le"));
      } else if (sample.key(i).equals("activation")) {
        boolean isList = sample.value(i) instanceof PythonValue.PyList;
        told.put("activation", isList ? "list" : "float32");
      }
    }
    return told;
  }
}
