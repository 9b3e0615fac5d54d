package org.saevhadoop.jmh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.format.tensor.RangePolicy;
import org.saevhadoop.format.tensor.RoundingPolicy;

/** Conversion of a block of standard normal values, in nanoseconds per value. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DTypeConversions {
  private static final int COUNT = 1 << 16;

  /** The source and target dtypes. */
  @Param({"F32_F16", "F32_BF16", "F16_F32", "BF16_F32", "F64_F32", "F64_F16", "F32_I8"})
  public String types;

  private DTypeConversion conversion;
  private ByteBuffer values;
  private ByteBuffer converted;

  /** Creates the values in the source type. */
  @Setup
  public void prepare() {
    DType from = DType.valueOf(types.split("_")[0]);
    DType to = DType.valueOf(types.split("_")[1]);
    values = buffer(COUNT * from.bits() / 8);
    converted = buffer(COUNT * to.bits() / 8);
    conversion = DTypeConversion.of(from, to, RoundingPolicy.NEAREST_EVEN, RangePolicy.SATURATE);
    ByteBuffer doubles = buffer(COUNT * Double.BYTES);
    Random random = new Random(1);
    for (int i = 0; i < COUNT; i++) {
      doubles.putDouble(i * Double.BYTES, random.nextGaussian());
    }
    DTypeConversion.of(DType.F64, from).convert(doubles, values);
    values.clear();
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Converts the values. */
  @Benchmark
  @OperationsPerInvocation(COUNT)
  public ByteBuffer convert() {
    conversion.convert(values.clear(), converted.clear());
    return converted;
  }
}
