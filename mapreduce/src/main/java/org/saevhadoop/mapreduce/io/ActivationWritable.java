package org.saevhadoop.mapreduce.io;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.hadoop.io.Writable;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.TensorValues;

/**
 * The values of a record, little-endian: activations {@code [layer, token, dim]}, {@code [token,
 * dim]} or {@code [dim]}, as float32 unless another type is requested; or a block of any column. A
 * reader returns the same object for every record, backed by its own buffer: callers that keep a
 * record must {@link #copy} it.
 */
@PublicApi
public final class ActivationWritable implements Writable {
  private static final int COPY_BYTES = 1 << 16;
  private static final DType[] DTYPES = DType.values();

  private DType dtype = DType.F32;
  private int[] shape = {0};
  private ByteBuffer bytes = ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);

  /** The buffer into which records are read; never a buffer that was passed to {@link #set}. */
  private @Nullable ByteBuffer own;

  /** Creates a record that Hadoop fills in. */
  public ActivationWritable() {}

  /** Creates a record of float32 values. */
  public ActivationWritable(int[] shape, ByteBuffer bytes) {
    set(shape, bytes);
  }

  /** Creates a record of values of any type. */
  public ActivationWritable(DType dtype, int[] shape, ByteBuffer bytes) {
    set(dtype, shape, bytes);
  }

  /**
   * Replaces the content of this record with float32 values; see {@link #set(DType, int[],
   * ByteBuffer)}.
   */
  public void set(int[] shape, ByteBuffer bytes) {
    set(DType.F32, shape, bytes);
  }

  /**
   * Replaces the content of this record. Nothing is copied.
   *
   * @param bytes the values, between position and limit, in C order
   * @throws IllegalArgumentException if the length of the buffer does not match the shape
   */
  public void set(DType dtype, int[] shape, ByteBuffer bytes) {
    if (elements(shape) * dtype.bits() != (long) bytes.remaining() * Byte.SIZE) {
      throw new IllegalArgumentException(
          Quote.sentence(
              "%s %s does not have the size of %d bytes",
              dtype, Arrays.toString(shape), bytes.remaining()));
    }
    this.dtype = dtype;
    this.shape = shape;
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the type of the values. */
  public DType dtype() {
    return dtype;
  }

  /** Returns the shape. */
  public int[] shape() {
    return shape.clone();
  }

  /** Returns a new view of the values, in C order. */
  public ByteBuffer bytes() {
    return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Returns the values as numbers, in C order, without a copy: they belong to this record only
   * until its content changes.
   *
   * @throws IllegalArgumentException if the type is F4, F6 or C64
   */
  public TensorValues values() {
    return TensorValues.of(dtype, bytes);
  }

  /**
   * Returns the values, in C order.
   *
   * @throws IllegalStateException if they are not float32
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

  /** Returns a copy with its own buffer. */
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

  /** Returns the length of a record in bytes; -1 if it exceeds the capacity of a buffer. */
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
