package org.saevhadoop.jobs.stats;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.TensorValues;

/** Reads the vectors of blocks as doubles. */
final class VectorReader {
  private final int dim;
  private final float[] floats;

  private ByteBuffer blocks = ByteBuffer.allocate(0);
  private FloatBuffer singles = FloatBuffer.allocate(0);
  private DType dtype = DType.F32;

  VectorReader(int dim) {
    this.dim = dim;
    this.floats = new float[dim];
  }

  /** Starts reading consecutive blocks. */
  void begin(DType type, ByteBuffer bytes) {
    dtype = type;
    blocks = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    singles = blocks.asFloatBuffer();
  }

  DType dtype() {
    return dtype;
  }

  ByteBuffer bytes(int vector) {
    int size = dim * dtype.bits() / Byte.SIZE;
    return blocks.slice(vector * size, size);
  }

  void read(int vector, double[] into) {
    if (dtype == DType.F32) {
      singles.get(vector * dim, floats);
      for (int d = 0; d < dim; d++) {
        into[d] = floats[d];
      }
      return;
    }
    TensorValues values = TensorValues.of(dtype, blocks);
    for (int d = 0; d < dim; d++) {
      into[d] = values.doubleAt(vector * dim + d);
    }
  }

  /** Returns whether doubles represent the squares of all values of a type exactly. */
  static boolean hasExactSquares(DType type) {
    return switch (type) {
      case F64, I32, U32, I64, U64 -> false;
      default -> true;
    };
  }
}
