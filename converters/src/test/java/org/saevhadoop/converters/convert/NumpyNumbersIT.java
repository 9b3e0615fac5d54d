package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.testing.Python;

/** What --dtype and --kv write, compared with numpy's own casts and slices. */
@Tag("python")
class NumpyNumbersIT {
  /** A naive reader and writer of safetensors: eight bytes, JSON, numbers. */
  static final String COMMON =
      """
      import glob, json, os, sys, numpy as np
      np.seterr(all="ignore")
      TYPES = dict(F16="<f2", F32="<f4", F64="<f8", I8="i1", U8="u1", I16="<i2", U16="<u2", I32="<i4",
                   U32="<u4", I64="<i8", U64="<u8")
      def save(path, tensors):
          header, data = {}, b""
          for name, (dtype, x) in tensors.items():
              raw = x.tobytes()
              header[name] = dict(dtype=dtype, shape=list(x.shape),
                                  data_offsets=[len(data), len(data) + len(raw)])
              data += raw
          text = json.dumps(header).encode()
          os.makedirs(os.path.dirname(path), exist_ok=True)
          open(path, "wb").write(len(text).to_bytes(8, "little") + text + data)
      def load(folder):
          manifest = json.load(open(folder + "/dataset_manifest.json"))
          for shard in manifest["shards"]:
              raw = open(folder + "/" + shard["shard_path"], "rb").read()
              n = int.from_bytes(raw[:8], "little")
              assert len(raw) == shard["bytes"] and n % 8 == 0
              header = json.loads(raw[8 : 8 + n])
              header.pop("__metadata__")
              for name, t in header.items():
                  b, e = t["data_offsets"]
                  x = np.frombuffer(raw[8 + n + b : 8 + n + e], TYPES[t["dtype"]]).reshape(t["shape"])
                  yield shard, name, t["dtype"], x
      def source(dtype):
          rng = np.random.default_rng(7)
          t = np.dtype(TYPES[dtype])
          if t.kind == "f":
              x = np.concatenate([rng.standard_normal(3000) * 10.0 ** rng.integers(-9, 6, 3000),
                                  [0.0, -0.0, 65504, 65519.996, 65520, 5.96e-8, 2.98e-8, 6.1e-5, 1e-40,
                                   np.inf, -np.inf, np.nan]])
              x = x.astype(t)[-3008:]
              u, bits = x.view("<u%d" % t.itemsize), t.itemsize * 8
              infinity = int(np.array(np.inf, t).view(u.dtype))
              for i, payload in enumerate([1, 0x201, (1 << np.finfo(t).nmant - 1) + 1]):
                  u[2 * i], u[2 * i + 1] = infinity | payload, 1 << bits - 1 | infinity | payload
              return x.reshape(188, 4, 4)
          info = np.iinfo(t)
          x = rng.integers(info.min, info.max, 3008, t, endpoint=True)
          x[:4] = [info.min, info.max, info.min + 1, info.max - 1]
          return x.reshape(188, 4, 4)
      """;

  private static final String WRITE =
      COMMON
          + """
          for dtype in TYPES:
              save("%s/%s/x.safetensors" % (sys.argv[1], dtype), {"v": (dtype, source(dtype))})
          print("done")
          """;

  private static final String COMPARE =
      COMMON
          + """
          folder, dtype, target = sys.argv[1:]
          found = np.concatenate([x for _, _, t, x in load(folder) if t == target])
          expected = source(dtype).astype(TYPES[target])
          assert found.tobytes() == expected.tobytes()
          print("same", found.shape)
          """;

  private static final String KEYS =
      COMMON
          + """
          folder, dtype = sys.argv[1:]
          expected, seen = source(dtype), set()
          for shard, name, t, x in load(folder):
              key, column = name.split("__")
              assert column == "v" and t == dtype and key not in seen
              seen.add(key)
              assert x.tobytes() == expected[int(key)].tobytes() and x.shape == (4, 4)
          assert len(seen) == len(expected)
          print("same", len(seen))
          """;

  @TempDir static Path sources;
  @TempDir Path folder;

  @BeforeAll
  static void writeSources() throws IOException, InterruptedException {
    Python.MACHINE.with("numpy").output(WRITE, sources);
  }

  /** Each type once; DTypeConversionAgainstNumpyTest compares all pairs. */
  @ParameterizedTest
  @CsvSource({
    "F32,F16", "F64,F16", "F64,F32", "F16,F64", "I64,F32", "U64,F64", "I32,F32", "U32,F16",
    "I16,F16", "U16,F32", "I8,I64", "U8,U64"
  })
  void numbersAreThoseOfAstype(String from, String to) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    convert(sources.resolve(from), out, "--dtype", to, "--batch-size", 50);
    assertThat(Python.MACHINE.with("numpy").output(COMPARE, out, from, to))
        .isEqualTo("same (188, 4, 4)");
  }

  @ParameterizedTest
  @CsvSource({"I64,U16", "U64,I32", "I16,U64", "U8,I8"})
  void integersThatWrapAreThoseOfAstype(String from, String to)
      throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    convert(sources.resolve(from), out, "--dtype", to, "--range", "wrap");
    assertThat(Python.MACHINE.with("numpy").output(COMPARE, out, from, to))
        .isEqualTo("same (188, 4, 4)");
  }

  @Test
  void keysHaveTheRowsOfTheirNumbers() throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    convert(
        sources.resolve("F32"),
        out,
        "--kv",
        "--from-layout=batch",
        "-Dsaev.output.header.bytes=4000");
    assertThat(NaiveTensors.parts(out)).hasSizeGreaterThan(3);
    assertThat(Python.MACHINE.with("numpy").output(KEYS, out, "F32")).isEqualTo("same 188");
    Map<String, NaiveTensors.Found> keys = NaiveTensors.keys(out);
    assertThat(keys).hasSize(188);
  }

  private static void convert(Path from, Path to, Object... more) {
    Cli.convert(from, to, "safetensors", more).succeeds();
  }
}
