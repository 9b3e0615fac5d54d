package org.saevhadoop.format.zip;

import static org.saevhadoop.format.zip.ZipReading.assertRefused;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.saevhadoop.format.zip.HandMadeZip.Part;

/** Archives that were changed by hand. */
abstract class HostileZip {
  static final byte[] DATA = "SDNB, or so it says".getBytes(StandardCharsets.US_ASCII);
  static final int DESCRIPTOR = 1 << 3;

  static HandMadeZip one(Consumer<Part> change) {
    return new HandMadeZip().stored("model", DATA, change);
  }

  static HandMadeZip two() {
    return new HandMadeZip()
        .stored("model.shard0-of-2.sdnb", DATA)
        .deflated("model.shard1-of-2.sdnb", DATA);
  }

  static void refused(ZipError kind, HandMadeZip zip) {
    assertRefused(kind, zip.bytes());
  }
}
