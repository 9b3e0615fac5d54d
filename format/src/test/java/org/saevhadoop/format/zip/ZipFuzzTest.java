package org.saevhadoop.format.zip;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.testing.Allocation;

/**
 * No bytes do worse than an {@link ZipError}, and sequential readers find nothing else in what is
 * accepted. Its inputs are beside it in the resources.
 */
@Isolated
@Tag("late")
class ZipFuzzTest {
  private static final int MAX_ALLOCATED = 2 << 20;

  /** Bytes of an entry that are read: data can be a thousand times as long as the file. */
  private static final int MAX_READ = 1 << 16;

  @FuzzTest(maxDuration = "6h", maxExecutions = 10_000_000)
  void anyBytesAreReadAsByASequentialReaderOrRefused(byte[] file) throws IOException {
    ByteBuffer dst = ByteBuffer.allocate(MAX_READ);
    Map<String, byte[]> ours = Allocation.atMost(MAX_ALLOCATED, () -> read(file, dst));
    if (!ours.isEmpty()) {
      compare(ours, OtherReaders.zipInputStream(file));
    }
  }

  /** The sequential reader may stop early, where bytes lie between entries. */
  private static void compare(Map<String, byte[]> ours, Map<String, byte[]> theirs) {
    theirs.forEach(
        (name, data) -> {
          byte[] our = ours.get(name);
          if (our == null || !Arrays.equals(our, data) && our.length < MAX_READ) {
            throw new AssertionError("a sequential reader finds other data of " + name);
          }
        });
  }

  /** Returns the entries that are valid; none if the file or one of them is not. */
  private static Map<String, byte[]> read(byte[] file, ByteBuffer dst) throws IOException {
    Map<String, byte[]> all = new HashMap<>();
    try (ZipArchive archive = ZipReading.open(new MemoryInput(HandMadeZip.PATH, file))) {
      for (ArchiveEntry entry : archive.entries()) {
        all.put(entry.name(), read(archive, entry, dst));
      }
      return all;
    } catch (FormatException e) {
      if (!(e.kind() instanceof ZipError)) {
        throw new AssertionError("of another kind", e);
      }
      return Map.of();
    }
  }

  private static byte[] read(ZipArchive archive, ArchiveEntry entry, ByteBuffer dst)
      throws IOException {
    dst.clear();
    try (ByteSource source = archive.read(entry)) {
      while (dst.hasRemaining() && source.read(dst) >= 0) {}
    }
    return Arrays.copyOf(dst.array(), dst.position());
  }
}
