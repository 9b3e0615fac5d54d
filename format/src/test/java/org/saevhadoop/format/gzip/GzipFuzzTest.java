package org.saevhadoop.format.gzip;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.testing.Allocation;

/** No bytes do worse than a {@link GzipError}. Its inputs are beside it in the resources. */
@Isolated
@Tag("late")
class GzipFuzzTest {
  private static final Set<String> KINDS =
      Stream.of(GzipError.values()).map(Enum::name).collect(Collectors.toSet());
  private static final int MAX_ALLOCATED = 1 << 20;

  /** Data can be a thousand times as long as the file. */
  private static final int MAX_READ = 1 << 20;

  /** What reading came to: the hash of the data, or the error. */
  private record Outcome(int hash, String error) {}

  @FuzzTest
  void anyBytesAreReadOrRefusedAlikeByAnyNumberOfThreads(byte[] file) throws IOException {
    ByteBuffer dst = ByteBuffer.allocate(4096);
    Outcome one = Allocation.atMost(MAX_ALLOCATED, () -> outcome(file, 1, dst));
    Outcome two = outcome(file, 2, dst);
    if (!one.equals(two)) {
      throw new AssertionError(one + " with one thread, " + two + " with two");
    }
  }

  private static Outcome outcome(byte[] file, int threads, ByteBuffer dst) throws IOException {
    int hash = 1;
    try (ByteSource source = new GzipSource(Gz.input(file), threads)) {
      int read = 0;
      int count;
      while (read < MAX_READ && (count = source.read(dst.clear())) >= 0) {
        for (int i = 0; i < count; i++) {
          hash = hash * 31 + dst.get(i);
        }
        read += count;
      }
      return new Outcome(hash, "");
    } catch (FormatException e) {
      String kind = e.getMessage().substring(Gz.PATH.length() + 2).split(":")[0];
      if (!KINDS.contains(kind)) {
        throw new AssertionError("of no kind", e);
      }
      return new Outcome(hash, e.getMessage());
    }
  }
}
