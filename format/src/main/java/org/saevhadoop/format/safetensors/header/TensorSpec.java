package org.saevhadoop.format.safetensors.header;

import java.util.Comparator;
import java.util.List;
import org.saevhadoop.format.json.CodePointOrder;
import org.saevhadoop.format.tensor.DType;

/**
 * A tensor that is to be written; its place in the file follows from all the others.
 *
 * @param name any text but {@code __metadata__}
 * @param dtype the type of its elements
 * @param shape elements per dimension, unsigned, as in {@link TensorInfo}
 */
public record TensorSpec(String name, DType dtype, List<Long> shape) {
  /** The order of the tensors in a file that the reference writes. */
  static final Comparator<TensorSpec> CANONICAL =
      Comparator.comparing(TensorSpec::dtype)
          .reversed()
          .thenComparing(TensorSpec::name, CodePointOrder::compare);

  public TensorSpec {
    shape = List.copyOf(shape);
  }
}
