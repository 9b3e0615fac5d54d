package org.saevhadoop.format.safetensors.header;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.Output;

/** Writes a safetensors file: the header at once, then the data of the tensors. */
public final class SafetensorsWriter implements Closeable {
  private final Output out;
  private final EncodedHeader header;
  private long missing;

  /**
   * Writes the header.
   *
   * @param out the output, which must be at its beginning; the writer takes ownership
   * @param metadata the metadata; null for none
   * @throws IllegalArgumentException as {@link SafetensorsHeader#encode} does; nothing is written
   */
  public SafetensorsWriter(Output out, List<TensorSpec> tensors, Map<String, String> metadata)
      throws IOException {
    this(out, tensors, metadata, HeaderEncoder.ALIGNMENT);
  }

  /**
   * Writes the header like {@link #SafetensorsWriter(Output, List, Map)}, with data that begins at
   * a multiple of {@code alignment} bytes, see {@link SafetensorsHeader#encode(List, Map, int)}.
   */
  public SafetensorsWriter(
      Output out, List<TensorSpec> tensors, Map<String, String> metadata, int alignment)
      throws IOException {
    this.out = out;
    this.header = SafetensorsHeader.encode(tensors, metadata, alignment);
    this.missing = header.dataBytes();
    out.write(header.bytes());
  }

  /** Returns the tensors in the order in which their data must be written. */
  public List<TensorInfo> tensors() {
    return header.tensors();
  }

  /**
   * Appends little-endian data. A call may provide part of a tensor or several tensors.
   *
   * @throws IOException also if the data exceeds the tensors, in which case nothing is written
   */
  public void write(ByteBuffer data) throws IOException {
    if (data.remaining() > missing) {
      throw new IOException(
          String.format(
              "%s: %d bytes more than the tensors have (expected %d)",
              out.path(), data.remaining() - missing, missing));
    }
    missing -= data.remaining();
    out.write(data);
  }

  /**
   * Closes the output.
   *
   * @throws IOException also if data is missing
   */
  @Override
  public void close() throws IOException {
    out.close();
    if (missing > 0) {
      throw new IOException(
          String.format(
              "%s: closed %d bytes before the end of the last tensor (expected %d bytes in all)",
              out.path(), missing, header.fileBytes()));
    }
  }
}
