package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.testing.Python;

/** What we write, read by numpy as the formats' own programs read it. */
@Tag("python")
class NumpyIT extends ConvertedDatasets {
  /**
   * What saev's readers of 1.0.0 and 2.1 do when they open a dataset: metadata.json and shards.json
   * have just the fields of their dataclass, each listed file is there and not empty, and is mapped
   * in the full shape of a shard.
   */
  private static final String SAEV =
      """
      import base64, hashlib, json, os, pickle, sys, numpy as np
      found, source = sys.argv[1:]
      FIELDS = {
          "1.0.0": ["vit_family", "vit_ckpt", "layers", "n_patches_per_img", "cls_token", "d_vit",
                    "n_imgs", "max_patches_per_shard", "data", "dtype", "protocol"],
          "2.1": ["family", "ckpt", "layers", "content_tokens_per_example", "cls_token", "d_model",
                  "n_examples", "max_tokens_per_shard", "data", "dataset", "pixel_agg", "dtype",
                  "protocol"]}
      def load(d):
          md = json.load(open(d + "/metadata.json", encoding="utf-8"))
          assert list(md) == FIELDS[md["protocol"]], md
          new = md["protocol"] == "2.1"
          name = lambda old, current: md[current if new else old]
          T = name("n_patches_per_img", "content_tokens_per_example") + md["cls_token"]
          L, D, n = len(md["layers"]), name("d_vit", "d_model"), name("n_imgs", "n_examples")
          S = name("max_patches_per_shard", "max_tokens_per_shard") // (T * L)
          dump = dict(separators=(",", ":"), ensure_ascii=not new, sort_keys=not new)
          digest = hashlib.sha256(json.dumps(md, **dump).encode()).hexdigest()
          assert os.path.basename(d) == (digest[:8] if new else digest)
          if new:
              assert os.path.dirname(d).endswith("/saev/shards")
              assert md["pixel_agg"] in ("majority", "prefer-fg") and type(md["dataset"]) is str
              assert type(pickle.loads(base64.b64decode(md["data"], validate=True))) is str
          else:
              assert type(md["data"]) is dict
          info = json.load(open(d + "/shards.json"))
          count = "n_examples" if new else "n_imgs"
          shards = []
          for k, shard in enumerate(info):
              assert list(shard) == ["name", count] and shard["name"] == f"acts{k:06d}.bin"
              path = d + "/" + shard["name"]
              shards.append(np.memmap(path, mode="r", dtype=np.float32, shape=(S, L, T, D)))
              assert shard[count] == min(S, n - k * S) and os.path.getsize(path) == S * L * T * D * 4
          assert sum(s[count] for s in info) == n
          return np.concatenate(shards)[:n]
      a, b = load(found), load(source)
      assert a.tobytes() == b.tobytes()
      print("same", a.shape)
      """;

  private static final String SAFETENSORS =
      NumpyNumbersIT.COMMON
          + """
          folder, source = sys.argv[1:]
          columns = {}
          for shard, name, _, values in load(folder):
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

  @ParameterizedTest
  @ValueSource(strings = {"1.0.0", "2.1"})
  void shardsOpenAsTheProjectsReadersOpenThem(String protocol)
      throws IOException, InterruptedException {
    Path source = Fixtures.saev(Fixtures.D768);
    Path tensors = convert(source, "tensors", "safetensors");
    Path found = convert(tensors, "out", "saev --protocol " + protocol);
    assertThat(Python.MACHINE.with("numpy").output(SAEV, found, source))
        .isEqualTo("same (5, 2, 50, 768)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0.0", "2.1"})
  void saevReadsMetadataThatIsMadeForForeignTensors(String protocol) throws Exception {
    assertRead(12, 4, 16, protocol);
  }

  /** 70 MiB, so that the default size is a full shard and one that is not full. */
  @Test
  @Tag("long")
  void saevReadsSeveralShardsThatAreMadeOfForeignTensors() throws Exception {
    assertRead(70, 256, 1024, "2.1");
  }

  private void assertRead(long examples, long tokens, long dim, String protocol) throws Exception {
    Path file = folder.resolve("small.safetensors");
    byte[] zeros = new byte[Math.toIntExact(examples * tokens * dim * Float.BYTES)];
    NaiveTensors.write(
        file, Map.of("layer_0", Found.of("F32", List.of(examples, tokens, dim), zeros)));
    Path made = convert(file, "made", "saev --family f --ckpt c --protocol " + protocol);
    assertThat(Python.MACHINE.with("numpy").output(SAEV, made, made))
        .isEqualTo("same (%d, 1, %d, %d)".formatted(examples, tokens, dim));
  }

  @Test
  void tensorsHoldEachLayersNumbers() throws IOException, InterruptedException {
    Path source = Fixtures.small();
    Path tensors = convert(source, "tensors", "safetensors --batch-size 3");
    assertThat(Python.MACHINE.with("numpy").output(SAFETENSORS, tensors, source))
        .isEqualTo("same ['layer_13', 'layer_21', 'layer_23']");
  }
}
