package org.saevhadoop.format.samediff.sdnb;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.testing.Allocation;

/**
 * Any bytes are a manifest that Java reads alike, or an {@link SdnbError}. Its inputs are beside it
 * in the resources.
 */
@Tag("late")
@Isolated
class SdnbManifestFuzzTest {
  private static final int MAX_ALLOCATED = 1 << 20;

  @FuzzTest(maxDuration = "6h", maxExecutions = 10_000_000)
  void anyBytesAreReadAsByJavaOrRefused(byte[] manifest) throws IOException {
    List<SdnbManifestEntry> entries = Allocation.atMost(MAX_ALLOCATED, () -> parse(manifest));
    if (entries != null && manifest.length > 0) {
      assertReadByJava(manifest, entries);
    }
  }

  /** Returns the entries; null if the manifest is refused. */
  private static List<SdnbManifestEntry> parse(byte[] manifest) throws IOException {
    try {
      return JavaManifest.parse(manifest);
    } catch (FormatException e) {
      if (!(e.kind() instanceof SdnbError) || e.getMessage().chars().anyMatch(c -> c < ' ')) {
        throw new AssertionError("of no kind", e);
      }
      return null;
    }
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
