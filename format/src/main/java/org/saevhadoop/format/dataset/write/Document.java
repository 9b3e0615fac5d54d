package org.saevhadoop.format.dataset.write;

import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Output;

/**
 * File of a dataset other than its data files, written after they are complete. A {@code Document}
 * contains a writer callback rather than its content.
 */
public record Document(String name, Io.Consumer<Output> content) {
  /** Creates a small document from content in memory. */
  public Document(String name, byte[] bytes) {
    this(name, out -> out.write(ByteBuffer.wrap(bytes)));
  }
}
