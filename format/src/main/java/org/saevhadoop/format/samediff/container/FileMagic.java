package org.saevhadoop.format.samediff.container;

import java.nio.ByteBuffer;
import org.saevhadoop.format.samediff.sdnb.SdnbFile;

/** Kinds of files, identified by their first bytes. */
public enum FileMagic {
  /** One SDNB file. */
  SDNB,
  /** A ZIP file, which may be SDZ. */
  ZIP,
  /** Any other file. */
  OTHER;

  /** Number of bytes that determine the kind. */
  static final int BYTES = SdnbFile.MAGIC_BYTES;

  /** Signature of a local file header (APPNOTE.TXT 6.3.10, 4.3.7), little-endian "PK\3\4". */
  private static final int ZIP_ENTRY = 0x504b0304;

  static FileMagic of(ByteBuffer first) {
    if (SdnbFile.isAt(first)) {
      return SDNB;
    }
    boolean zip = first.remaining() >= BYTES && first.getInt(first.position()) == ZIP_ENTRY;
    return zip ? ZIP : OTHER;
  }
}
