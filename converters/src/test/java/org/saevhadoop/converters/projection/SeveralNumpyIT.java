package org.saevhadoop.converters.projection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.testing.Python;

/**
 * Datasets of random types, containers and shapes that numpy writes, as one: what is written has
 * the bits of numpy's own concatenation, selection and {@code astype}.
 */
@Tag("python")
@Tag("sampled")
class SeveralNumpyIT {
  private static final int CASES = TestExtent.of(16, 200);

  /** A case is a function of its number, so that both scripts know it. */
  private static final String COMMON =
      """
      import glob, json, os, random, sys, numpy as np
      np.seterr(all="ignore")
      BITS = dict(F16="<u2", BF16="<u2", F32="<u4", F64="<u8")
      FLOAT = dict(F16="<f2", F32="<f4", F64="<f8")
      QUIET = dict(F16=0x200, BF16=0x40, F32=1 << 22, F64=1 << 51)
      EXPONENT = dict(F16=0x7c00, BF16=0x7f80, F32=0x7f800000, F64=0x7ff << 52)
      def values(rng, dtype, shape):
          bits = rng.integers(0, 1 << 8 * np.dtype(BITS[dtype]).itemsize, shape, "u8",
                              endpoint=False) if dtype != "F64" else rng.integers(
                                  0, (1 << 64) - 1, shape, "u8", endpoint=True)
          bits = bits.astype(BITS[dtype])
          e = bits.dtype.type(EXPONENT[dtype])
          return np.where(bits & e == e, bits | bits.dtype.type(QUIET[dtype]), bits)
      def cast(bits, dtype, to):
          if dtype == to:
              return bits
          if dtype == "BF16":
              bits, dtype = bits.astype("<u4") << np.uint32(16), "F32"
          return bits.view(FLOAT[dtype]).astype(FLOAT[to]).view(BITS[to])
      def widest(types):
          if {"F16", "BF16"} <= types:
              types = types | {"F32"}
          return max(types, key=lambda t: (np.dtype(BITS[t]).itemsize, t))
      def case(i):
          r, rng = random.Random(i), np.random.default_rng(i)
          tokens, dim, n = r.randint(1, 4), r.randint(1, 6), r.randint(2, 9)
          layers = r.sample(range(40), r.randint(2, 4))
          more = r.random() < 0.6
          whole = list(range(n)) if more else layers
          cuts = sorted(r.sample(range(1, len(whole)), r.randint(1, min(3, len(whole) - 1))))
          pieces = []
          for b, e in zip([0] + cuts, cuts + [len(whole)]):
              own = whole[b:e]
              dtype = r.choice(["F16", "BF16", "F32", "F32", "F64"])
              form = "safetensors" if dtype == "BF16" else r.choice(["npy", "npz", "safetensors"])
              shape = (len(own) if more else n, tokens, dim)
              arrays = {l: values(rng, dtype, shape) for l in (layers if more else own)}
              pieces.append((form, dtype, arrays))
          chosen = dict(layers=layers, examples=list(range(n)), tokens=list(range(tokens)))
          kinds = {form == "safetensors" for form, _, _ in pieces}
          verb = r.choice(["npy", "safetensors"] + ["merge"] * 4 * (len(kinds) == 1))
          if verb != "merge":
              for what in chosen:
                  if r.random() < 0.5:
                      chosen[what] = r.sample(chosen[what], r.randint(1, len(chosen[what])))
          to = widest({dtype for _, dtype, _ in pieces})
          expected = {}
          for l in chosen["layers"]:
              x = np.concatenate([cast(a[l], t, to) for _, t, a in pieces if l in a])
              expected[l] = x[chosen["examples"]][:, sorted(chosen["tokens"])]
          return pieces, verb, chosen, to, expected
      """;

  private static final String WRITE =
      COMMON
          + """
          folder, count = sys.argv[1], int(sys.argv[2])
          for i in range(count):
              pieces, verb, chosen, to, expected = case(i)
              line = [verb, str(len(pieces))]
              for p, (form, dtype, arrays) in enumerate(pieces):
                  path = "%s/%d/%d" % (folder, i, p)
                  os.makedirs(path)
                  floats = {"layer_%d" % l: x.view(FLOAT.get(dtype, "<u2")) for l, x in arrays.items()}
                  if form == "npy":
                      for name, x in floats.items():
                          np.save(path + "/" + name, x)
                  elif form == "npz":
                      np.savez(path + "/acts.npz", **floats)
                  else:
                      header, data = {}, b""
                      for name, x in floats.items():
                          header[name] = dict(dtype=dtype, shape=list(x.shape),
                                              data_offsets=[len(data), len(data) + x.nbytes])
                          data += x.tobytes()
                      text = json.dumps(header).encode()
                      text += b" " * (-len(text) % 8)
                      open(path + "/acts.safetensors", "wb").write(
                          len(text).to_bytes(8, "little") + text + data)
              for what, numbers in chosen.items():
                  if verb != "merge":
                      numbers = sorted(numbers) if what == "tokens" else numbers
                      line.append("--%s=%s" % (what, ",".join(map(str, numbers))))
              print(" ".join(line))
          """;

  private static final String COMPARE =
      COMMON
          + """
          folder, number = sys.argv[1], int(sys.argv[2])
          pieces, verb, chosen, to, expected = case(number)
          found = {}
          for path in sorted(glob.glob(folder + "/*.npy")):
              x = np.load(path)
              found.setdefault(os.path.basename(path).split(".")[0], []).append(
                  ("BF16" if x.dtype.kind == "V" else {2: "F16", 4: "F32", 8: "F64"}[x.itemsize], x))
          for path in sorted(glob.glob(folder + "/*.safetensors")):
              raw = open(path, "rb").read()
              end = 8 + int.from_bytes(raw[:8], "little")
              for name, t in json.loads(raw[8:end]).items():
                  if name != "__metadata__":
                      b, e = t["data_offsets"]
                      x = np.frombuffer(raw[end + b : end + e], BITS[t["dtype"]]).reshape(t["shape"])
                      found.setdefault(name, []).append((t["dtype"], x))
          assert sorted(found) == sorted("layer_%d" % l for l in expected), (sorted(found), expected)
          for l, x in expected.items():
              parts = found["layer_%d" % l]
              assert {t for t, _ in parts} == {to}, (parts[0][0], to)
              y = np.concatenate([p.view(BITS[to]) for _, p in parts])
              assert y.shape == x.shape, (y.shape, x.shape)
              assert np.array_equal(x, y), (l, np.argwhere(x != y)[:3], x[x != y][:3], y[x != y][:3])
          print("same")
          """;

  @TempDir static Path folder;

  static Stream<List<String>> cases() throws IOException, InterruptedException {
    String written = Python.MACHINE.with("numpy").output(WRITE, folder, String.valueOf(CASES));
    List<List<String>> cases = new ArrayList<>();
    for (String line : written.strip().split("\n")) {
      List<String> words = new ArrayList<>(List.of(line.split(" ")));
      words.add(0, String.valueOf(cases.size()));
      cases.add(words);
    }
    return cases.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void severalHaveTheBitsOfNumpy(List<String> words) throws IOException, InterruptedException {
    Path place = folder.resolve(words.get(0));
    List<Path> pieces =
        IntStream.range(0, Integer.parseInt(words.get(2)))
            .mapToObj(i -> place.resolve(String.valueOf(i)))
            .toList();
    List<Object> arguments = new ArrayList<>();
    if (words.get(1).equals("merge")) {
      arguments.addAll(List.of("merge", pieces, place.resolve("out")));
    } else {
      arguments.addAll(List.of("convert", pieces.get(0), place.resolve("out")));
      pieces.subList(1, pieces.size()).forEach(piece -> arguments.addAll(List.of("--with", piece)));
      arguments.addAll(List.of("--to", words.get(1)));
      arguments.addAll(words.subList(3, words.size()));
    }
    Cli written = Cli.run(arguments.toArray());
    assertThat(written.exitCode()).as("%s%n%s", arguments, written.stderr()).isZero();
    assertThat(
            Python.MACHINE
                .with("numpy")
                .output(COMPARE, written.lastLinePath(), words.get(0))
                .strip())
        .as("%s", arguments)
        .isEqualTo("same");
  }
}
