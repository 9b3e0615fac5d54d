package org.saevhadoop.format.safetensors.header;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.safetensors.dataset.TensorDatasetError;
import org.saevhadoop.format.tensor.DType;

/**
 * Writes a safetensors file whose tensors grow while they come: how many rows each has is known
 * only at the end, but the format wants it first. Until then the data waits in a temporary file on
 * the local disk, so the memory needed does not depend on it. One thread at a time.
 */
public final class SafetensorsSpool implements Closeable {
  private static final int COPY_BYTES = 1 << 20;

  private final FileChannel spool;
  private final Map<String, Rows> tensors = new LinkedHashMap<>();
  private long reserved;

  /**
   * Opens the temporary file, which is gone when the spool is closed.
   *
   * @param localFolder a folder of the local disk
   */
  public SafetensorsSpool(Path localFolder) throws IOException {
    this.spool =
        FileChannel.open(
            Files.createTempFile(localFolder, "tensors", ".spool"),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
  }

  /**
   * Begins a tensor of {@code [rows, ...rowShape]} without rows.
   *
   * @throws IllegalArgumentException for a name that is taken or that no tensor can have, and for a
   *     row without bytes, of which no data could say how many there are
   */
  public Rows begin(String name, DType dtype, List<Long> rowShape) {
    SafetensorsHeader.encode(List.of(new TensorSpec(name, dtype, shape(0, rowShape))), null);
    String shown = JsonText.show(name);
    check(!tensors.containsKey(name), "two tensors are called %s", shown);
    long bits;
    try {
      bits = TensorSize.bits(dtype, rowShape);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("a row of tensor " + shown + " has 2^64 bits or more", e);
    }
    check(bits != 0, "a row of tensor %s has no bytes", shown);
    Rows rows = new Rows(name, dtype, List.copyOf(rowShape), bits);
    tensors.put(name, rows);
    return rows;
  }

  /**
   * Writes the file as it is up to now, its tensors in the reference's order. The output is not
   * closed.
   *
   * @param metadata null for none
   * @param alignment of the data's beginning, in bytes; 8 is the reference's
   * @throws FormatException where a tensor ends within a row; nothing is written
   * @throws IllegalArgumentException as {@link SafetensorsHeader#encode(List, Map, int)} does;
   *     nothing is written
   */
  public void writeTo(Output out, Map<String, String> metadata, int alignment) throws IOException {
    List<TensorSpec> specs = new ArrayList<>();
    for (Rows rows : tensors.values()) {
      specs.add(rows.spec(out.path()));
    }
    EncodedHeader header = SafetensorsHeader.encode(specs, metadata, alignment);
    out.write(header.bytes());
    ByteBuffer buffer = ByteBuffer.allocateDirect(COPY_BYTES);
    for (TensorInfo tensor : header.tensors()) {
      tensors.get(tensor.name()).extents.copy(spool, buffer, out);
    }
  }

  @Override
  public void close() throws IOException {
    spool.close();
  }

  private static List<Long> shape(long rows, List<Long> rowShape) {
    List<Long> shape = new ArrayList<>(rowShape);
    shape.add(0, rows);
    return shape;
  }

  @FormatMethod
  private static void check(boolean holds, @FormatString String problem, Object... args) {
    if (!holds) {
      throw new IllegalArgumentException(String.format(problem, args));
    }
  }

  private long reserve(long bytes) {
    long start = reserved;
    reserved = Math.addExact(reserved, bytes);
    return start;
  }

  /** A tensor that grows. */
  public final class Rows {
    private final String name;
    private final DType dtype;
    private final List<Long> rowShape;
    private final long rowBits;
    private final SpoolExtents extents = new SpoolExtents();

    private Rows(String name, DType dtype, List<Long> rowShape, long rowBits) {
      this.name = name;
      this.dtype = dtype;
      this.rowShape = rowShape;
      this.rowBits = rowBits;
    }

    /**
     * Appends data, row-major and little endian; a call may hold a part of a row or many rows. Each
     * call writes to the disk, so small ones are better collected before.
     */
    public void append(ByteBuffer data) throws IOException {
      extents.append(spool, data, SafetensorsSpool.this::reserve);
    }

    /** Bytes appended so far. */
    public long bytes() {
      return extents.length();
    }

    private TensorSpec spec(String path) throws FormatException {
      long rows = Long.divideUnsigned(extents.length() * Byte.SIZE, rowBits);
      TensorDatasetError.BAD_DATASET.check(
          rows * rowBits == extents.length() * Byte.SIZE,
          path,
          "tensor %s ends within a row: %d bytes (expected whole rows of %s bits)",
          JsonText.show(name),
          extents.length(),
          Long.toUnsignedString(rowBits));
      return new TensorSpec(name, dtype, shape(rows, rowShape));
    }
  }
}
