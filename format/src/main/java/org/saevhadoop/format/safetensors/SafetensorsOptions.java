package org.saevhadoop.format.safetensors;

import java.util.List;

/**
 * How files are to be understood.
 *
 * @param layout the layout of a dataset; null to tell it by the files
 * @param separator between id and column in the key-value layout; null for what the files say, else
 *     {@link #SEPARATOR}
 * @param strictness of the headers' reading
 * @param mappings which tensors are activations; empty to tell them by their names
 */
public record SafetensorsOptions(
    Layout layout, String separator, Strictness strictness, List<TensorMapping> mappings) {
  /** What stands between id and column (safetensors-spark). */
  public static final String SEPARATOR = "__";

  /** Everything told by the files. */
  public static final SafetensorsOptions NONE =
      new SafetensorsOptions(null, null, Strictness.STRICT, List.of());

  public SafetensorsOptions {
    mappings = List.copyOf(mappings);
  }
}
