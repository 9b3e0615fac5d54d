package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What we write, read by numpy as the formats' own programs read it. */
class NumpyIT {
  /** saev's readers map the full shape of every shard; the vectors must be those of the source. */
  private static final String SAEV =
      """
      import json, sys, numpy as np
      found, source = sys.argv[1:]
      def load(d):
          md = json.load(open(d + "/metadata.json"))
          T = md["n_patches_per_img"] + md["cls_token"]
          L, D, n = len(md["layers"]), md["d_vit"], md["n_imgs"]
          S = md["max_patches_per_shard"] // (T * L)
          shards = [np.memmap(f"{d}/acts{k:06d}.bin", mode="r", dtype=np.float32, shape=(S, L, T, D))
                    for k in range(-(-n // S))]
          return np.concatenate(shards)[:n]
      a, b = load(found), load(source)
      assert a.tobytes() == b.tobytes()
      info = json.load(open(found + "/shards.json"))
      assert sum(s["n_imgs"] for s in info) == len(a), info
      print("same", a.shape)
      """;

  /** A naive reader of safetensors: eight bytes, JSON, numbers. */
  private static final String SAFETENSORS =
      """
      import glob, json, sys, numpy as np
      folder, source = sys.argv[1:]
      manifest = json.load(open(folder + "/dataset_manifest.json"))
      columns = {}
      for shard in manifest["shards"]:
          raw = open(folder + "/" + shard["shard_path"], "rb").read()
          assert len(raw) == shard["bytes"]
          n = int.from_bytes(raw[:8], "little")
          assert n % 8 == 0
          header = json.loads(raw[8 : 8 + n])
          header.pop("__metadata__")
          for name, t in header.items():
              begin, end = t["data_offsets"]
              values = np.frombuffer(raw[8 + n + begin : 8 + n + end], "<f4").reshape(t["shape"])
              assert len(values) == shard["samples_count"]
              columns.setdefault(name, []).append(values)
      md = json.load(open(source + "/metadata.json"))
      T = md["n_patches_per_img"] + md["cls_token"]
      L, D, n = len(md["layers"]), md["d_vit"], md["n_imgs"]
      acts = b"".join(open(f, "rb").read() for f in sorted(glob.glob(source + "/acts*.bin")))
      expected = np.frombuffer(acts, "<f4").reshape(-1, L, T, D)[:n]
      for i, layer in enumerate(md["layers"]):
          found = np.concatenate(columns[f"layer_{layer}"])
          assert found.tobytes() == expected[:, i].tobytes(), layer
      print("same", sorted(columns))
      """;

  @TempDir Path folder;

  @Test
  void shardsOpenAsTheProjectsReadersOpenThem() throws IOException, InterruptedException {
    Path tensors = folder.resolve("tensors");
    Path source = Fixtures.saev(Fixtures.D768);
    Cli.run("convert", source, tensors, "--to", "safetensors").succeeds();
    Path found = Cli.run("convert", tensors, folder.resolve("saev"), "--to", "saev").lastLinePath();
    assertThat(python(SAEV, found, source)).isEqualTo("same (5, 2, 50, 768)");
  }

  @Test
  void tensorsHoldEachLayersNumbers() throws IOException, InterruptedException {
    Path tensors = folder.resolve("tensors");
    Path source = Fixtures.saev(Fixtures.SMALL);
    Cli.run("convert", source, tensors, "--to", "safetensors", "--batch-size", 3).succeeds();
    assertThat(python(SAFETENSORS, tensors, source))
        .isEqualTo("same ['layer_13', 'layer_21', 'layer_23']");
  }

  private static String python(String script, Path... args)
      throws IOException, InterruptedException {
    String interpreter = null;
    for (String candidate : List.of("python3", "/usr/bin/python3")) {
      if (interpreter == null && run(candidate, "-c", "import numpy").exitCode() == 0) {
        interpreter = candidate;
      }
    }
    if (interpreter == null) {
      assertThat(System.getenv("CI")).as("CI must have python3 with numpy").isNotEqualTo("true");
      Assumptions.abort("there is no python3 with numpy");
    }
    Result result = run(interpreter, "-c", script, args[0].toString(), args[1].toString());
    assertThat(result.exitCode()).as(result.output()).isZero();
    return result.output().strip();
  }

  private record Result(int exitCode, String output) {}

  private static Result run(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      return new Result(process.exitValue(), output);
    } catch (IOException e) {
      return new Result(-1, e.toString());
    }
  }
}
