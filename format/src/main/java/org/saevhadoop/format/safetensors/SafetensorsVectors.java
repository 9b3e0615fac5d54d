package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.spi.VectorTensors;
import org.saevhadoop.format.tensor.DType;

/** Reader of one-dimensional F64 tensors in safetensors files. */
final class SafetensorsVectors implements VectorTensors {
  @Override
  public Map<String, double[]> read(Input file, Pattern names) throws IOException {
    SafetensorsHeader header = SafetensorsHeader.read(file);
    Map<String, double[]> vectors = new LinkedHashMap<>();
    for (TensorInfo tensor : header.tensors()) {
      if (names.matcher(tensor.name()).matches()) {
        vectors.put(tensor.name(), values(file, header, tensor));
      }
    }
    return vectors;
  }

  private static double[] values(Input file, SafetensorsHeader header, TensorInfo tensor)
      throws IOException {
    DatasetError.NOT_CONVERTIBLE.check(
        tensor.dtype() == DType.F64
            && tensor.shape().size() == 1
            && tensor.byteLength() > 0
            && tensor.byteLength() <= Integer.MAX_VALUE - 8,
        file.path(),
        "tensor %s is %s of %s (expected float64 of one dimension)",
        tensor.name(),
        tensor.dtype().numpyName(),
        tensor.shape());
    int bytes = (int) tensor.byteLength();
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    file.readFully(header.dataStart() + tensor.begin(), buffer);
    double[] values = new double[bytes / Double.BYTES];
    buffer.flip().asDoubleBuffer().get(values);
    return values;
  }
}
