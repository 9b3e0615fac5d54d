package org.saevhadoop.converters.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.testing.Documentation;
import org.saevhadoop.testing.Python;

/** Shuffled datasets in Python, read as docs/commands/shuffle.md shows. */
@Tag("python")
class ShufflePythonIT {
  /** Provides what the packages safetensors and a GPU would. */
  private static final String BEFORE =
      """
      import json, os, sys, types, numpy as np, torch
      os.chdir(sys.argv[1])
      class Slice:
          def __init__(self, array): self.array = array
          def get_shape(self): return list(self.array.shape)
          def __getitem__(self, part): return torch.from_numpy(self.array[part].copy())
      class File:
          def __init__(self, path, framework, device):
              data = open(path, "rb").read()
              self.start = 8 + int.from_bytes(data[:8], "little")
              self.header, self.data = json.loads(data[8:self.start]), data
          def __enter__(self): return self
          def __exit__(self, *_): pass
          def get_slice(self, name):
              tensor = self.header[name]
              assert tensor["dtype"] == "F32"
              begin, end = (self.start + offset for offset in tensor["data_offsets"])
              return Slice(np.frombuffer(self.data[begin:end], "<f4").reshape(tensor["shape"]))
      sys.modules["safetensors"] = types.ModuleType("safetensors")
      sys.modules["safetensors"].safe_open = File
      torch.Tensor.cuda = lambda tensor: tensor
      steps = []
      step = steps.append
      """;

  private static final String BETWEEN =
      """

      rows_of_numpy = np.concatenate(steps)
      steps.clear()
      """;

  private static final String AFTER =
      """

      rows_of_torch = torch.cat(steps).numpy()
      assert np.array_equal(rows_of_numpy.view("<u4"), rows_of_torch.view("<u4"))
      shards = sorted(pathlib.Path(sys.argv[2]).glob("acts*.bin"))
      source = np.concatenate([np.fromfile(shard, "<f4") for shard in shards])
      source = source.reshape(-1, 2, 10, 8)[:7, 0].reshape(-1, 8)
      assert not np.array_equal(source.view("<u4"), rows_of_numpy.view("<u4"))
      assert sorted(map(bytes, source)) == sorted(map(bytes, rows_of_numpy))
      print(len(rows_of_numpy))
      """;

  @TempDir Path folder;

  @Test
  void theDocumentedLoopsSeeEachVectorOnceInTheSameOrder() throws Exception {
    Path source = Corpus.checkout().resolve("fixtures/saev/shards/64988989");
    Cli.run("shuffle", source, folder.resolve("shuffled"), "--layers", "13").succeeds();
    Cli.run("shuffle", source, folder.resolve("rows"), "--to", "safetensors").succeeds();
    String script = BEFORE + documented("import numpy") + BETWEEN + documented("cuda") + AFTER;
    assertThat(Python.MACHINE.with("torch").output(script, folder, source)).isEqualTo("70");
  }

  private static String documented(String part) throws IOException {
    return Documentation.python(Corpus.checkout(), "shuffle.md", part);
  }
}
