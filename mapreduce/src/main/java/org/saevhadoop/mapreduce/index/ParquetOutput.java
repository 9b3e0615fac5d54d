package org.saevhadoop.mapreduce.index;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.saevhadoop.format.io.Output;

/**
 * Adapts an {@link Output} to parquet-java.
 *
 * @param footer holds the bytes at the end of the file
 */
record ParquetOutput(Output out, StableFooter footer) implements OutputFile {
  @Override
  public PositionOutputStream create(long blockSizeHint) {
    return new Stream(out, footer);
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSizeHint) {
    return new Stream(out, footer);
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return 0;
  }

  @Override
  public String getPath() {
    return out.path();
  }

  private static final class Stream extends PositionOutputStream {
    private final Output out;
    private final StableFooter footer;
    private boolean closed;

    Stream(Output out, StableFooter footer) {
      this.out = out;
      this.footer = footer;
    }

    @Override
    public long getPos() {
      return out.position() + footer.length();
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (footer.isHeld()) {
        footer.hold(bytes, offset, length);
      } else {
        out.write(ByteBuffer.wrap(bytes, offset, length));
      }
    }

    @Override
    public void close() throws IOException {
      if (!closed) { // parquet-java closes twice
        closed = true;
        try (out) {
          if (footer.isComplete()) {
            out.write(ByteBuffer.wrap(footer.bytes()));
          }
        }
      }
    }
  }
}
