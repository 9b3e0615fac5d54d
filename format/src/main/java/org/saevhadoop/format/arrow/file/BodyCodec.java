package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.io.InputStream;
import org.saevhadoop.format.codec.Lz4Block;
import org.saevhadoop.format.codec.Lz4Frame;
import org.saevhadoop.format.codec.Zstd;
import org.saevhadoop.format.flatbuffer.FlatTable;

/** Codecs of buffers: {@code CompressionType} of Message.fbs. */
enum BodyCodec {
  LZ4_FRAME(Lz4Block.BEST_RATIO),
  ZSTD(Zstd.BEST_RATIO);

  /** {@code BodyCompressionMethod.BUFFER}, the only method. */
  private static final int EACH_BUFFER = 0;

  private final long bestRatio;

  BodyCodec(long bestRatio) {
    this.bestRatio = bestRatio;
  }

  /**
   * Returns the codec of a record batch.
   *
   * @param compression the table {@code BodyCompression}
   */
  static BodyCodec of(String path, FlatTable compression) throws IOException {
    int number = compression.i8(0);
    int method = compression.i8(1);
    ArrowError.UNSUPPORTED.check(
        number >= 0 && number < values().length && method == EACH_BUFFER,
        path,
        "has bodies that are compressed with codec %d, method %d (expected LZ4_FRAME or ZSTD for"
            + " each buffer, or none)",
        number,
        method);
    BodyCodec codec = values()[number];
    if (codec == ZSTD && Zstd.problem().isPresent()) {
      throw ArrowError.UNSUPPORTED
          .in(
              path,
              "has bodies that are compressed with ZSTD (expected %s; or the file rewritten in"
                  + " Python with pyarrow.feather.write_feather(pyarrow.ipc.open_file(path)"
                  + ".read_all(), other, compression=\"lz4\"))",
              Zstd.NEEDED)
          .causedBy(Zstd.problem().get());
    }
    return codec;
  }

  /** Returns whether content of a given size can result from a given number of compressed bytes. */
  boolean canUnpack(long packed, long size) {
    return size / bestRatio <= packed;
  }

  InputStream open(InputStream packed) throws IOException {
    return this == ZSTD ? Zstd.open(packed) : new Lz4Frame(packed);
  }
}
