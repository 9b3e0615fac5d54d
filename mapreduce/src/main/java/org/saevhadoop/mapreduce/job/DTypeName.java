package org.saevhadoop.mapreduce.job;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.settings.NearestWord;
import org.saevhadoop.format.tensor.DType;

/**
 * The names of value types that users can specify: those of safetensors, numpy, ml_dtypes and
 * torch. Case is ignored. Names with different meanings in numpy, C and torch, such as {@code int}
 * and {@code long}, are accepted only as {@code torch.int} and {@code torch.long}.
 */
final class DTypeName {
  private static final Pattern NUMPY =
      Pattern.compile("(?:np|numpy|jnp|jax\\.numpy|ml_dtypes)\\.(.+)");
  private static final Pattern TORCH = Pattern.compile("torch\\.(.+)");
  private static final Pattern CODE = Pattern.compile("[<=|].+");

  /** Type names in lower case. */
  private static final Map<String, DType> NAMES = new HashMap<>();

  /**
   * Torch names that have a different meaning elsewhere (see
   * https://docs.pytorch.org/docs/stable/tensor_attributes.html).
   */
  private static final Map<String, DType> TORCH_ONLY =
      Map.of("short", DType.I16, "int", DType.I32, "long", DType.I64);

  static {
    for (DType dtype : DType.values()) {
      NAMES.put(dtype.numpyName(), dtype);
    }
    NAMES.put("half", DType.F16);
    NAMES.put("single", DType.F32);
    NAMES.put("double", DType.F64);
    NAMES.put("fp16", DType.F16);
    NAMES.put("fp32", DType.F32);
    NAMES.put("fp64", DType.F64);
  }

  private DTypeName() {}

  /**
   * Returns the type with the given name.
   *
   * @throws IllegalArgumentException if there is no such type
   */
  static DType parse(String name) {
    for (DType dtype : DType.values()) {
      if (dtype.name().equalsIgnoreCase(name)) {
        return dtype;
      }
    }
    DType known = known(name.toLowerCase(Locale.ROOT));
    if (known == null) {
      throw new IllegalArgumentException(
          "there is no dtype \""
              + name
              + '"'
              + expected(name).map(" (expected %s)"::formatted).orElse(""));
    }
    return known;
  }

  private static @Nullable DType known(String name) {
    Matcher torch = TORCH.matcher(name);
    if (torch.matches()) {
      DType only = TORCH_ONLY.get(torch.group(1));
      return only == null ? bare(torch.group(1)) : only;
    }
    Matcher numpy = NUMPY.matcher(name);
    if (numpy.matches()) {
      return NAMES.get(numpy.group(1));
    }
    return CODE.matcher(name).matches()
        ? NumpyType.parse(name).map(NumpyType::dtype).orElse(null)
        : bare(name);
  }

  /**
   * Returns the type with the given name, which has no module prefix; {@code float} has the same
   * meaning as in torch and C.
   */
  private static @Nullable DType bare(String name) {
    return name.equals("float") ? DType.F32 : NAMES.get(name);
  }

  private static Optional<String> expected(String name) {
    if (name.indexOf(',') >= 0) {
      return Optional.of("one type, or COLUMN=DTYPE, repeated for each column");
    }
    List<String> names = new ArrayList<>(NAMES.keySet().stream().sorted().toList());
    List<String> near = NearestWord.suggestions(name.replaceFirst("^.*\\.", ""), names);
    return Optional.of(near).filter(found -> !found.isEmpty()).map(NearestWord::or);
  }
}
