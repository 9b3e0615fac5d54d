package org.saevhadoop.mapreduce.index;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.saevhadoop.format.io.Output;

/** Adapts an {@link Output} to parquet-java. */
record ParquetOutput(Output out) implements OutputFile {
  @Override
  public PositionOutputStream create(long blockSizeHint) {
    return new Stream(out);
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSizeHint) {
    return new Stream(out);
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
    private boolean closed;

    Stream(Output out) {
      this.out = out;
    }

    @Override
    public long getPos() {
      return out.position();
    }

    @Override
    public void write(int b) throws IOException {
      out.write(ByteBuffer.wrap(new byte[] {(byte) b}));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(ByteBuffer.wrap(bytes, offset, length));
    }

    @Override
    public void close() throws IOException {
      if (!closed) { // parquet-java closes twice
        closed = true;
        out.close();
      }
    }
  }
}
