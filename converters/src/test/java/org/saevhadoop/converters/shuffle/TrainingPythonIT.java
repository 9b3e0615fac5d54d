package org.saevhadoop.converters.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.testing.Documentation;
import org.saevhadoop.testing.Python;

/** The {@code Dataset} of docs/training.md over a shuffled set, in several epochs. */
@Tag("python")
@Tag("long")
class TrainingPythonIT {
  /** Provides what the class and the loop use of torch. */
  private static final String WITHOUT_TORCH =
      """
      import copy, types, sys
      class Data(types.ModuleType):
          IterableDataset = object
          worker = None
          def get_worker_info(self): return self.worker
          def DataLoader(self, dataset, batch_size, num_workers=0):
              assert batch_size is None
              return Loader(dataset, num_workers)
      class Loader:
          def __init__(self, dataset, workers): self.dataset, self.workers = dataset, workers
          def __iter__(self):
              for i in range(self.workers or 1):
                  info = types.SimpleNamespace(id=i, num_workers=self.workers)
                  torch.utils.data.worker = info if self.workers else None
                  yield from copy.deepcopy(self.dataset)
      torch = types.ModuleType("torch")
      torch.from_numpy = lambda array: array
      torch.utils = types.ModuleType("torch.utils")
      torch.utils.data = Data("torch.utils.data")
      sys.modules["torch"] = torch
      """;

  private static final String BEFORE =
      """
      import os, sys
      os.chdir(sys.argv[1])
      steps = []
      step = steps.append
      """;

  private static final String AFTER =
      """

      def read(epoch, batch, workers):
          dataset = Vectors("target/training/train", 13, batch)
          dataset.epoch = epoch
          loader = torch.utils.data.DataLoader(dataset, batch_size=None, num_workers=workers)
          return [np.array(rows) for rows in loader]
      def rows(batches): return [bytes(row) for part in batches for row in part]
      files = sorted(pathlib.Path("target/training/train").glob("layer_13.*.npy"))
      stored = [bytes(row) for file in files for row in np.load(file)]
      assert len(files) > 2 and len(set(stored)) == len(stored)
      third = len(steps) // 3
      epochs = [rows(map(np.array, steps[i * third : (i + 1) * third])) for i in range(3)]
      assert epochs[0] == stored
      for epoch in epochs: assert sorted(epoch) == sorted(stored)
      assert len(set(map(tuple, epochs))) == 3
      for epoch in range(3):
          batches = read(epoch, 3, 0)
          assert rows(batches) == epochs[epoch]
          assert max(map(len, batches)) == 3 and batches[0].shape[1:] == (8,)
          shared = read(epoch, 3, 2)
          assert sorted(rows(shared)) == sorted(stored)
          assert sorted(map(np.ndarray.tobytes, shared)) == sorted(map(np.ndarray.tobytes, batches))
      print(len(stored))
      """;

  @TempDir Path folder;

  @BeforeEach
  void shuffle() {
    Path source = Corpus.checkout().resolve("fixtures/saev/shards/64988989");
    Path out = folder.resolve("target/training");
    String[] options = "--to npy --layers 13 --partition train=0.8,val=0.2".split(" ");
    Cli.run("shuffle", source, out, options, "--max-npy-bytes=512").succeeds();
  }

  private String script() throws IOException {
    String dataset = Documentation.python(Corpus.checkout(), "training.md", "class Vectors");
    String loop = Documentation.python(Corpus.checkout(), "training.md", "DataLoader");
    return BEFORE + dataset + loop + AFTER;
  }

  @Test
  void eachEpochSeesEachVectorOnceInAnotherOrder() throws Exception {
    assertThat(Python.NUMPY_2_4.output(WITHOUT_TORCH + script(), folder)).isEqualTo("60");
  }

  @Test
  void withTorchToo() throws Exception {
    assertThat(Python.MACHINE.with("torch").output(script(), folder)).isEqualTo("60");
  }
}
