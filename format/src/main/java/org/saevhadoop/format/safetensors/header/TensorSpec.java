package org.saevhadoop.format.safetensors.header;

import java.util.Comparator;
import java.util.List;
import org.saevhadoop.format.json.CodePointOrder;
import org.saevhadoop.format.tensor.DType;

/**
 * A tensor to be written; its offsets depend on all tensors of the file.
 *
 * @param name any string except {@code __metadata__}
 * @param dtype the element type
 * @param shape the number of elements per dimension, unsigned, as in {@link TensorInfo}
 */
public record TensorSpec(String name, DType dtype, List<Long> shape) {
  /** Order of the tensors in a file written by the reference. */
  public static final Comparator<TensorSpec> CANONICAL =
      Comparator.comparing(TensorSpec::dtype)
          .reversed()
          .thenComparing(TensorSpec::name, CodePointOrder::compare);

  public TensorSpec {
    shape = List.copyOf(shape);
  }
}
