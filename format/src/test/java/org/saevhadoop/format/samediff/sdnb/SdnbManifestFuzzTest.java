package org.saevhadoop.format.samediff.sdnb;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;

/**
 * Any bytes are a manifest that Java reads alike, or an {@link SdnbError}. Its inputs are beside it
 * in the resources.
 */
@Tag("late")
@Isolated
class SdnbManifestFuzzTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int MAX_ALLOCATED = 1 << 20;

  @FuzzTest(maxDuration = "6h", maxExecutions = 10_000_000)
  void anyBytesAreReadAsByJavaOrRefused(byte[] manifest) throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    List<SdnbManifestEntry> entries = parse(manifest);
    if (THREADS.getCurrentThreadAllocatedBytes() - before > MAX_ALLOCATED) {
      // where classes were loaded, and instrumented by the fuzzer, they are not the next time
      before = THREADS.getCurrentThreadAllocatedBytes();
      parse(manifest);
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      if (allocated > MAX_ALLOCATED) {
        throw new AssertionError(allocated + " bytes for a manifest of " + manifest.length);
      }
    }
    if (entries != null && manifest.length > 0) {
      assertReadByJava(manifest, entries);
    }
  }

  /** Returns the entries; null if the manifest is refused. */
  private static List<SdnbManifestEntry> parse(byte[] manifest) throws IOException {
    try {
      return JavaManifest.parse(manifest);
    } catch (FormatException e) {
      if (!(e.kind() instanceof SdnbError) || !isOneLine(e.getMessage())) {
        throw new AssertionError("of no kind", e);
      }
      return null;
    }
  }

  private static boolean isOneLine(String message) {
    for (int i = 0; i < message.length(); i++) {
      if (message.charAt(i) < ' ') {
        return false;
      }
    }
    return true;
  }

  private static void assertReadByJava(byte[] manifest, List<SdnbManifestEntry> entries)
      throws IOException {
    if (!JavaManifest.read(manifest).equals(entries)) {
      throw new AssertionError(entries + " but Java reads " + JavaManifest.read(manifest));
    }
    if (!JavaManifest.parse(SdnbManifestEncoder.encode(entries)).equals(entries)) {
      throw new AssertionError(entries + " cannot be written and read again");
    }
  }
}
