package org.saevhadoop.format.pickle.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.testing.Python;

/**
 * What CPython and numpy load, pickle_cases.py among the resources. {@code -Dsaev.pickles=1000000
 * -Dsaev.pickles.seed=2} asks about others.
 */
@Tag("python")
@Tag("sampled")
class PickleAgainstPythonTest {
  private record Case(byte[] pickle, String theirs) {}

  private static List<Case> cases(int count) throws Exception {
    String seed = System.getProperty("saev.pickles.seed", "1");
    byte[] told = Python.MACHINE.with("numpy").bytes(new byte[0], "pickle_cases.py", count, seed);
    List<Case> cases = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(told))) {
      for (int i = 0; i < count; i++) {
        int pickleBytes = (int) Long.reverseBytes(in.readLong());
        int textBytes = (int) Long.reverseBytes(in.readLong());
        byte[] pickle = in.readNBytes(pickleBytes);
        cases.add(new Case(pickle, new String(in.readNBytes(textBytes), StandardCharsets.UTF_8)));
      }
    }
    return cases;
  }

  @Test
  void whatIsReadIsWhatCpythonLoads() throws Exception {
    int read = 0;
    int refused = 0;
    List<Case> cases = cases(Integer.getInteger("saev.pickles", TestExtent.of(5_000, 20_000)));
    for (int i = 0; i < cases.size(); i++) {
      Case one = cases.get(i);
      boolean isWritten = i % 2 == 0;
      try {
        String ours = new CanonicalText(Loaded.of(StreamSource.of(one.pickle))).of();
        assertThat(ours).as(() -> HexFormat.of().formatHex(one.pickle)).isEqualTo(one.theirs);
        read++;
      } catch (FormatException e) {
        boolean isAllowed = !isWritten || one.theirs.startsWith("!");
        if (!isAllowed) {
          throw new AssertionError(HexFormat.of().formatHex(one.pickle), e);
        }
        if (!one.theirs.startsWith("!")) {
          refused++;
        }
      }
    }
    assertThat(read).isGreaterThan(cases.size() / 2);
    assertThat(refused).as("invented programs that only CPython takes").isLessThan(read / 20);
  }
}
