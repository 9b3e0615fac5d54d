package org.saevhadoop.format.torch.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.zip.ZipError;

/**
 * The data of an entry whose CRC-32 may be wrong: {@code
 * torch.serialization.set_crc32_options(False)} writes such archives, and torch.load accepts them.
 */
final class UncheckedEntry implements ByteSource {
  private final ByteSource entry;
  private @Nullable String mismatch;

  UncheckedEntry(ByteSource entry) {
    this.entry = entry;
  }

  /**
   * Returns the problem with the CRC-32 of the bytes that were read; null if there is no problem.
   */
  @Nullable String mismatch() {
    return mismatch;
  }

  @Override
  public String path() {
    return entry.path();
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    try {
      return entry.read(dst);
    } catch (FormatException e) {
      if (e.kind() != ZipError.CRC_MISMATCH) {
        throw e;
      }
      mismatch = e.problem();
      return -1;
    }
  }

  @Override
  public long fileBytesRead() {
    return entry.fileBytesRead();
  }

  @Override
  public void close() throws IOException {
    entry.close();
  }
}
