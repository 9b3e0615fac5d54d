package org.saevhadoop.format.dataset.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Output;

/**
 * File of a dataset other than its data files, written after they are complete. A {@code Document}
 * contains a writer callback rather than its content.
 */
public record Document(String name, Content content) {
  /** Writes the content of a document, which therefore need not fit in memory. */
  @FunctionalInterface
  public interface Content {
    void writeTo(Output out) throws IOException;
  }

  /** Creates a small document from content in memory. */
  public Document(String name, byte[] bytes) {
    this(name, out -> out.write(ByteBuffer.wrap(bytes)));
  }
}
