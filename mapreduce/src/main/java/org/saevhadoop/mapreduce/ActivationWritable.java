package org.saevhadoop.mapreduce;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.hadoop.io.Writable;

/**
 * A record's activations: {@code [layer, token, dim]}, {@code [token, dim]} or {@code [dim]} in
 * little-endian float32. A reader hands out the same object again and again, over a buffer of its
 * own: who keeps a record takes a {@link #copy}.
 */
public final class ActivationWritable implements Writable {
  private static final int COPY_BYTES = 1 << 16;
  private static final int LARGEST_RANK = 3;

  private int[] shape = {0};
  private ByteBuffer bytes = ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);

  /** What records are read into: never a buffer that {@link #set} was lent. */
  private ByteBuffer own;

  /** For Hadoop, which fills it in. */
  public ActivationWritable() {}

  public ActivationWritable(int[] shape, ByteBuffer bytes) {
    set(shape, bytes);
  }

  /**
   * Makes it another record; nothing is copied.
   *
   * @param bytes 4 bytes for each element of {@code shape}, between its position and its limit
   */
  public void set(int[] shape, ByteBuffer bytes) {
    if (elements(shape) * Float.BYTES != bytes.remaining()) {
      throw new IllegalArgumentException(
          "%s takes other than %d bytes".formatted(Arrays.toString(shape), bytes.remaining()));
    }
    this.shape = shape;
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The record's shape. */
  public int[] shape() {
    return shape.clone();
  }

  /** The record's bytes, in C order: a new view at each call. */
  public ByteBuffer bytes() {
    return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The record's numbers, in C order. */
  public float[] toFloats() {
    float[] floats = new float[bytes.capacity() / Float.BYTES];
    bytes().asFloatBuffer().get(floats);
    return floats;
  }

  /** The same record in memory of its own. */
  public ActivationWritable copy() {
    ByteBuffer own = ByteBuffer.allocate(bytes.capacity());
    own.put(bytes()).flip();
    return new ActivationWritable(shape.clone(), own);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeByte(shape.length);
    for (int size : shape) {
      out.writeInt(size);
    }
    ByteBuffer source = bytes();
    byte[] chunk = new byte[Math.min(COPY_BYTES, source.remaining())];
    while (source.hasRemaining()) {
      int n = Math.min(chunk.length, source.remaining());
      source.get(chunk, 0, n);
      out.write(chunk, 0, n);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    int rank = in.readByte();
    if (rank < 0 || rank > LARGEST_RANK) {
      throw new IOException("an activation record of rank " + rank);
    }
    int[] read = new int[rank];
    boolean sizes = true;
    for (int i = 0; i < rank; i++) {
      read[i] = in.readInt();
      sizes &= read[i] >= 0;
    }
    int length = sizes ? bytes(read) : -1;
    if (length < 0) {
      throw new IOException("an activation record of shape " + Arrays.toString(read));
    }
    if (own == null || own.capacity() < length) {
      own = ByteBuffer.allocate(length);
    }
    in.readFully(own.array(), 0, length);
    set(read, own.clear().limit(length));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ActivationWritable record
        && Arrays.equals(shape, record.shape)
        && bytes().equals(record.bytes());
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(shape) + bytes().hashCode();
  }

  @Override
  public String toString() {
    return "float32" + Arrays.toString(shape);
  }

  /** Bytes of a shape; -1 where no buffer holds as many. */
  private static int bytes(int[] shape) {
    try {
      return Math.toIntExact(Math.multiplyExact(elements(shape), Float.BYTES));
    } catch (ArithmeticException e) {
      return -1;
    }
  }

  private static long elements(int[] shape) {
    long elements = 1;
    for (int size : shape) {
      elements = Math.multiplyExact(elements, size);
    }
    return elements;
  }
}
