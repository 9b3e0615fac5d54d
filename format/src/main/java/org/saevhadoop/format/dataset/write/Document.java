package org.saevhadoop.format.dataset.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Output;

/** A file beside the data files that belongs to a dataset; it is written once they are complete. */
public record Document(String name, Content content) {
  /** What appends a document's bytes to its file, so that nobody has to hold them. */
  @FunctionalInterface
  public interface Content {
    /** Appends all of it. */
    void writeTo(Output out) throws IOException;
  }

  /** A small document, held in memory. */
  public Document(String name, byte[] bytes) {
    this(name, out -> out.write(ByteBuffer.wrap(bytes)));
  }
}
