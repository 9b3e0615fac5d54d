package org.saevhadoop.converters.diff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.testing.Python;

/** Differences of random pairs of arrays, which numpy finds as well. */
@Tag("python")
@Tag("sampled")
class DiffNumpyIT {
  private static final int PAIRS = TestExtent.of(60, 120);

  /**
   * Makes pairs of arrays with random edits of one bit, one vector, one layer, the type, or the
   * order, and what the comparison must find.
   */
  private static final String MAKE =
      """
      import json, os, sys, numpy as np
      np.seterr(all="ignore")
      folder, pairs = sys.argv[1], int(sys.argv[2])
      SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 3.4e38], "<f4")
      NAN = np.array([0x7fc00001], "<u4").view("<f4")
      def steps(v, t):
          i = v.astype(t).view({2: "<i2", 4: "<i4", 8: "<i8"}[np.dtype(t).itemsize]).astype(object)
          low = -(1 << (8 * np.dtype(t).itemsize - 1))
          return np.where(i < 0, low - i, i)
      def find(a, b, tolerance, nan_equal):
          wide = a.dtype if a.dtype.itemsize >= b.dtype.itemsize else b.dtype
          narrow = b.dtype if a.dtype.itemsize >= b.dtype.itemsize else a.dtype
          x, y = a.astype(wide), b.astype(wide)
          u = {2: "<u2", 4: "<u4", 8: "<u8"}[wide.itemsize]
          bits = x.view(u) != y.view(u)
          finite = np.isfinite(x) & np.isfinite(y)
          dx, dy = x.astype("f8"), y.astype("f8")
          dist = np.abs(dx - dy)
          rel = np.where(dist == 0, 0, dist / np.maximum(np.abs(dx), np.abs(dy)))
          ulp = np.abs(steps(x, narrow) - steps(y, narrow))
          kind, _, limit = tolerance.partition(":")
          beyond = {"": bits, "abs": dist > float(limit or 0), "rel": rel > float(limit or 0),
                    "ulp": ulp > int(limit or 0) if kind == "ulp" else bits}[kind].astype(bool)
          counted = bits & np.where(finite, beyond, True)
          if nan_equal:
              counted &= ~(np.isnan(x) & np.isnan(y))
          m = bits & finite
          big = lambda v: max([0] + list(v[m]))
          first = [[int(i[0]), int(i[1]), int(i[2]), int(i[3])] for i in np.argwhere(counted)[:20]]
          return {"same": not counted.any(), "identical": not bits.any(),
                  "blocks_differing": int(counted.any(axis=(2, 3)).sum()),
                  "vectors_differing": int(counted.any(axis=3).sum()),
                  "values_differing": int(counted.sum()),
                  "non_finite_differing": int((counted & ~finite).sum()),
                  "max_abs": float(big(dist)), "max_rel": float(big(rel)), "max_ulp": int(big(ulp)),
                  "first": first}
      for pair in range(pairs):
          r = np.random.RandomState(pair)
          shape = tuple(r.randint(1, 6, 4))
          a = (r.standard_normal(shape) * 10.0 ** r.randint(-3, 4)).astype("<f4")
          special = r.random_sample(shape) < 0.1
          a[special] = r.choice(SPECIAL, special.sum())
          b = a.copy()
          at = tuple(r.randint(0, n) for n in shape)
          edit = r.randint(0, 9)
          if edit == 1: b.view("<u4")[at] ^= np.uint32(1 << r.randint(0, 32))
          elif edit == 2: b[at[:3]] += np.float32(r.choice([1e-6, 1e-3, 1]))
          elif edit == 3: b[:, at[1]] *= np.float32(1.001)
          elif edit == 4: b = b[::-1].copy()
          elif edit == 5: b = b.astype("<f2")
          elif edit == 6: b = b.astype("<f8")
          elif edit == 7: b[at] = NAN[0]
          elif edit == 8:
              a = a.astype("<f8") * np.finfo("f8").max / 1e6
              b = a.copy()
              b[at] *= -1
          tolerance = r.choice(["", "", "abs:0.001", "rel:0.0011", "ulp:5", "ulp:100000", "ulp:10000000000000000000"])
          nan_equal = bool(r.randint(0, 2))
          here = os.path.join(folder, str(pair))
          os.makedirs(here)
          np.save(here + "/a.npy", a)
          np.save(here + "/b.npy", np.asfortranarray(b) if r.randint(0, 2) else b)
          found = find(a, b, tolerance, nan_equal)
          found["arguments"] = (["--tolerance", tolerance] if tolerance else []) + (
              ["--nan-equal"] if nan_equal else [])
          with open(here + "/expected.json", "w") as out: json.dump(found, out)
      print("made")
      """;

  @Test
  void findsWhatNumpyFinds(@TempDir Path folder) throws Exception {
    assertThat(Python.MACHINE.with("numpy").output(MAKE, folder, PAIRS)).isEqualTo("made");
    int different = 0;
    for (int pair = 0; pair < PAIRS; pair++) {
      Path here = folder.resolve(Integer.toString(pair));
      JsonNode expected =
          new JsonMapper().readTree(Files.readString(here.resolve("expected.json")));
      JsonNode found =
          DiffTest.diff(expected.get("arguments"), here.resolve("a.npy"), here.resolve("b.npy"));
      for (var field : expected.properties()) {
        String key = field.getKey();
        if (!key.equals("first") && !key.equals("arguments")) {
          assertThat(found.get(key).asText())
              .as("%s of pair %d", key, pair)
              .isEqualTo(field.getValue().asText());
        }
      }
      assertThat(found.get("first").size()).isEqualTo(expected.get("first").size());
      for (int i = 0; i < expected.get("first").size(); i++) {
        JsonNode value = found.get("first").get(i);
        JsonNode at = expected.get("first").get(i);
        assertThat(value.get("example").asLong()).isEqualTo(at.get(0).asLong());
        assertThat(value.get("layer").asLong()).isEqualTo(at.get(1).asLong());
        assertThat(value.get("token").asLong()).isEqualTo(at.get(2).asLong());
        assertThat(value.get("dim").asLong()).isEqualTo(at.get(3).asLong());
      }
      different += expected.get("same").asBoolean() ? 0 : 1;
    }
    assertThat(different).isBetween(PAIRS / 4, PAIRS * 3 / 4);
  }
}
