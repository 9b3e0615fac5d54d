package org.saevhadoop.mapreduce.io;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.hadoop.io.Writable;
import org.saevhadoop.format.tensor.DType;

/**
 * A record's numbers, little-endian: activations {@code [layer, token, dim]}, {@code [token, dim]}
 * or {@code [dim]} in float32 unless other numbers are asked for; or a block of any column. A
 * reader hands out the same object again and again, over a buffer of its own: who keeps a record
 * takes a {@link #copy}.
 */
public final class ActivationWritable implements Writable {
  private static final int COPY_BYTES = 1 << 16;
  private static final DType[] DTYPES = DType.values();

  private DType dtype = DType.F32;
  private int[] shape = {0};
  private ByteBuffer bytes = ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);

  /** What records are read into: never a buffer that {@link #set} was lent. */
  private ByteBuffer own;

  /** For Hadoop, which fills it in. */
  public ActivationWritable() {}

  /** A record of float32. */
  public ActivationWritable(int[] shape, ByteBuffer bytes) {
    set(shape, bytes);
  }

  /** A record of any numbers. */
  public ActivationWritable(DType dtype, int[] shape, ByteBuffer bytes) {
    set(dtype, shape, bytes);
  }

  /** Makes it another record, of float32; see {@link #set(DType, int[], ByteBuffer)}. */
  public void set(int[] shape, ByteBuffer bytes) {
    set(DType.F32, shape, bytes);
  }

  /**
   * Makes it another record; nothing is copied.
   *
   * @param bytes of the elements of {@code shape}, between its position and its limit
   */
  public void set(DType dtype, int[] shape, ByteBuffer bytes) {
    if (elements(shape) * dtype.bits() != (long) bytes.remaining() * Byte.SIZE) {
      throw new IllegalArgumentException(
          "%s %s takes other than %d bytes"
              .formatted(dtype, Arrays.toString(shape), bytes.remaining()));
    }
    this.dtype = dtype;
    this.shape = shape;
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The type of its numbers. */
  public DType dtype() {
    return dtype;
  }

  /** The record's shape. */
  public int[] shape() {
    return shape.clone();
  }

  /** The record's bytes, in C order: a new view at each call. */
  public ByteBuffer bytes() {
    return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The record's numbers, in C order.
   *
   * @throws IllegalStateException where they are not float32
   */
  public float[] toFloats() {
    if (dtype != DType.F32) {
      throw new IllegalStateException(
          "the record is %s (expected F32: see saev.input.dtype)".formatted(dtype));
    }
    float[] floats = new float[bytes.capacity() / Float.BYTES];
    bytes().asFloatBuffer().get(floats);
    return floats;
  }

  /** The same record in memory of its own. */
  public ActivationWritable copy() {
    ByteBuffer own = ByteBuffer.allocate(bytes.capacity());
    own.put(bytes()).flip();
    return new ActivationWritable(dtype, shape.clone(), own);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeByte(dtype.ordinal());
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
    int type = in.readUnsignedByte();
    int rank = in.readUnsignedByte();
    if (type >= DTYPES.length) {
      throw new IOException("a record of type " + type);
    }
    int[] read = new int[rank];
    boolean sizes = true;
    for (int i = 0; i < rank; i++) {
      read[i] = in.readInt();
      sizes &= read[i] >= 0;
    }
    int length = sizes ? bytes(DTYPES[type], read) : -1;
    if (length < 0) {
      throw new IOException("a record of shape " + Arrays.toString(read));
    }
    if (own == null || own.capacity() < length) {
      own = ByteBuffer.allocate(length);
    }
    in.readFully(own.array(), 0, length);
    set(DTYPES[type], read, own.clear().limit(length));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ActivationWritable record
        && dtype == record.dtype
        && Arrays.equals(shape, record.shape)
        && bytes().equals(record.bytes());
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(shape) + bytes().hashCode();
  }

  @Override
  public String toString() {
    return dtype.numpyName() + Arrays.toString(shape);
  }

  /** Bytes of a record; -1 where no buffer holds as many. */
  private static int bytes(DType dtype, int[] shape) {
    try {
      return Math.toIntExact(Math.multiplyExact(elements(shape), dtype.bits()) / Byte.SIZE);
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
