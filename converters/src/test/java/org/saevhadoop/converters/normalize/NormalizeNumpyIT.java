package org.saevhadoop.converters.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.testing.Python;

/** Vectors that numpy normalizes in float64 have the same bits. */
@Tag("python")
@Tag("long")
class NormalizeNumpyIT extends ConvertedDatasets {
  private static final String SCRIPT =
      """
      import json, sys, numpy as np
      source, stats, found, by = sys.argv[1:]
      TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8"}
      def read(name):
          data = open(name, "rb").read()
          start = 8 + int.from_bytes(data[:8], "little")
          return {k: np.frombuffer(data[start + t["data_offsets"][0]:start + t["data_offsets"][1]],
                  TYPES[t["dtype"]]).reshape(t["shape"])
                  for k, t in json.loads(data[8:start]).items() if k != "__metadata__"}
      acts, stats, found = read(source), read(stats), read(found)
      for layer in ("layer_3", "layer_13"):
          x, mean = acts[layer].astype("f8"), stats[layer + ".mean"]
          if by != "scale":
              x = x - mean
          if by != "center":
              x = x * stats[layer + (".scale" if by == "scale" else ".scale_centered")]
          assert x.astype(found[layer].dtype).tobytes() == found[layer].tobytes(), layer
      print("same", found["layer_3"].dtype)
      """;

  @ParameterizedTest
  @CsvSource({
    "F32, F32, scale", "F32, F16, scale", "F32, F64, center-scale", "F32, F16, center-scale",
    "F16, F16, center", "F16, F16, center-scale", "F16, F32, center-scale", "F64, F64, center"
  })
  void vectorsHaveTheBitsOfNumpy(String from, String to, String by) throws Exception {
    NormalizedVectors vectors = NormalizedVectors.write(folder);
    Path source = convert(vectors.source(), "source", "safetensors --dtype " + from);
    Path found =
        convert(
            source,
            "found",
            "safetensors --dtype " + to,
            "--normalize",
            vectors.statistics(),
            "--normalize-by",
            by);
    String line =
        Python.MACHINE
            .with("numpy")
            .output(SCRIPT, tensors(source), vectors.statistics(), tensors(found), by);
    assertThat(line).isEqualTo("same float" + to.substring(1));
  }

  private static Path tensors(Path dataset) throws Exception {
    return dataset.resolve(files(dataset).get(1));
  }
}
