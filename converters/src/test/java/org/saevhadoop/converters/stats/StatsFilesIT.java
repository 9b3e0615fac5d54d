package org.saevhadoop.converters.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.testing.Documentation;
import org.saevhadoop.testing.Python;

/** The files of {@code stats} in Python, read as docs/commands/stats.md shows. */
@Tag("python")
class StatsFilesIT {
  private static final int DIM = 24;

  /** Provides load_file where the package safetensors is not installed, and makes activations. */
  private static final String BEFORE =
      """
      import json, os, sys, types, numpy as np
      os.chdir(sys.argv[1])
      def read(name):
          data = open(name, "rb").read()
          start = 8 + int.from_bytes(data[:8], "little")
          header = json.loads(data[8:start])
          types_ = {"F64": "<f8", "F32": "<f4", "I64": "<i8"}
          return {k: np.frombuffer(data[start + t["data_offsets"][0]:start + t["data_offsets"][1]],
                  types_[t["dtype"]]).reshape(t["shape"]).copy()
                  for k, t in header.items() if k != "__metadata__"}
      for name in ("safetensors", "safetensors.numpy", "safetensors.torch"):
          sys.modules[name] = types.ModuleType(name)
      sys.modules["safetensors.numpy"].load_file = read
      sys.modules["safetensors.torch"].load_file = lambda name: {
          k: torch.from_numpy(v) for k, v in read(name).items()}
      acts = read("acts.safetensors")["layer_13"].reshape(-1, 24)
      """;

  private static final String TORCH = "import torch\nacts = torch.from_numpy(acts)\n";

  private static final String NORMALISED =
      """

      assert np.allclose(acts.mean(0), 0, atol=1e-5), acts.mean(0)
      assert np.isclose((acts.astype("f8") ** 2).sum(1).mean(), 24, rtol=1e-6)
      print("ok")
      """;

  private static final String STANDARDISED =
      """

      acts = acts.numpy().astype("f8")
      assert np.allclose(acts.mean(0), 0, atol=1e-4), acts.mean(0)
      assert np.allclose(acts.std(0), [0] + 23 * [1], atol=1e-4), acts.std(0)
      print("ok")
      """;

  private static final String AGAINST_NUMPY =
      """
      stats = read("stats.safetensors")
      acts = acts.astype("f8")
      assert np.allclose(stats["layer_13.mean"], acts.mean(0), rtol=1e-12, atol=0)
      assert np.allclose(stats["layer_13.variance"], acts.var(0), rtol=1e-12, atol=0)
      assert stats["layer_13.count"].tolist() == [len(acts)]
      scale = np.sqrt(24 / (acts ** 2).sum(1).mean())
      assert np.allclose(stats["layer_13.scale"], scale, rtol=1e-12)
      document = json.load(open("activault/layer_13/statistics.json"))
      assert list(document) == ["mean", "std", "norm", "M2"], list(document)
      assert np.allclose(document["std"], acts.std(0), rtol=1e-12, atol=0)
      assert np.allclose(document["M2"], acts.var(0) * len(acts), rtol=1e-12, atol=0)
      assert np.isclose(document["norm"], np.linalg.norm(acts, axis=1).mean(), rtol=1e-12)
      print("ok")
      """;

  @TempDir Path folder;

  private void writeFiles() throws IOException {
    float[] values = StatsDatasets.values(50, 4, DIM, 1);
    for (int i = 0; i < values.length; i += DIM) {
      values[i] = 3; // a constant dimension
    }
    Path acts = folder.resolve("acts.safetensors");
    StatsDatasets.write(acts, Map.of(13, values), 50, 4, DIM);
    Path stats = folder.resolve("stats.safetensors");
    Path documents = folder.resolve("activault");
    Cli.run("stats", acts, "--to-safetensors", stats, "--statistics", documents).succeeds();
  }

  @Test
  void valuesAreThoseOfNumpy() throws Exception {
    writeFiles();
    assertThat(Python.MACHINE.with("numpy").output(BEFORE + AGAINST_NUMPY, folder)).isEqualTo("ok");
  }

  @Test
  void vectorsThatNumpyNormalisedHaveTheNormOfTheirDimensions() throws Exception {
    writeFiles();
    String script = BEFORE + documented("safetensors.numpy") + NORMALISED;
    assertThat(Python.MACHINE.with("numpy").output(script, folder)).isEqualTo("ok");
  }

  @Test
  void dimensionsThatTorchStandardisedHaveAVarianceOf1() throws Exception {
    writeFiles();
    String script = BEFORE + TORCH + documented("safetensors.torch") + STANDARDISED;
    assertThat(Python.MACHINE.with("torch").output(script, folder)).isEqualTo("ok");
  }

  private static String documented(String part) throws IOException {
    return Documentation.python(Corpus.checkout(), "stats.md", part);
  }
}
