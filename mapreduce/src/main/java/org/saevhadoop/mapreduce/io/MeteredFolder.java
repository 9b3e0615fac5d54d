package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;

/** A folder that counts the bytes of the files that are created in it. */
public final class MeteredFolder extends ForwardingFolder {
  private final ByteMeter meter;

  /**
   * Creates a view of a folder.
   *
   * @param meter receives the bytes that are written
   */
  public MeteredFolder(Folder folder, ByteMeter meter) {
    super(folder);
    this.meter = meter;
  }

  @Override
  public Output create(String name) throws IOException {
    return new MeteredOutput(folder().create(name), meter);
  }

  private record MeteredOutput(Output file, ByteMeter meter) implements Output.Filter {
    // in pieces, as a slow storage may need minutes for a record of 2 GiB
    @Override
    public void write(ByteBuffer src) throws IOException {
      int end = src.limit();
      try {
        while (src.position() < end) {
          int count = (int) Math.min(end - src.position(), ByteMeter.REPORT_BYTES);
          file.write(src.limit(src.position() + count));
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
