package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Output;

/** A folder that counts the bytes of its new files. */
public final class MeteredFolder extends ForwardingFolder {
  private final ByteMeter meter;

  /**
   * Creates a view of a folder.
   *
   * @param meter counts the bytes that are written
   */
  public MeteredFolder(Folder folder, ByteMeter meter) {
    super(folder);
    this.meter = meter;
  }

  @Override
  public Output create(String name) throws IOException {
    return new MeteredOutput(folder().create(name), meter);
  }

  @Override
  public boolean isSeekable() {
    return folder().isSeekable();
  }

  private record MeteredOutput(Output file, ByteMeter meter) implements Output.Filter {
    // in pieces, as a slow storage may need minutes for a record of 2 GiB
    @Override
    public void write(ByteBuffer src) throws IOException {
      inPieces(src, file::write);
    }

    @Override
    public void writeAt(long position, ByteBuffer src) throws IOException {
      int start = src.position();
      inPieces(src, piece -> file.writeAt(position + piece.position() - start, piece));
    }

    private void inPieces(ByteBuffer src, Io.Consumer<ByteBuffer> writing) throws IOException {
      int end = src.limit();
      try {
        while (src.position() < end) {
          int count = (int) Math.min(end - src.position(), ByteMeter.REPORT_BYTES);
          writing.accept(src.limit(src.position() + count));
          meter.add(count);
        }
      } finally {
        src.limit(end);
      }
    }

    @Override
    public void extendTo(long length) throws IOException {
      long before = file.position();
      file.extendTo(length);
      meter.add(file.position() - before);
    }

    @Override
    public void close() throws IOException {
      meter.flush();
      file.close();
    }
  }
}
