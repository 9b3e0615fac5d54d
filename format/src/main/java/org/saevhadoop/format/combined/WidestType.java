package org.saevhadoop.format.combined;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;

/** The smallest type that represents all values of several types exactly. */
final class WidestType {
  private WidestType() {}

  /**
   * Returns the type: one of the given types, or else an integer type for integers and a float type
   * for all others; empty if there is none.
   */
  static Optional<DType> of(Collection<DType> types) {
    boolean integers = types.stream().allMatch(WidestType::isInteger);
    return Arrays.stream(DType.values())
        .filter(type -> types.stream().allMatch(each -> DTypeConversion.isExact(each, type)))
        .min(
            Comparator.<DType, Boolean>comparing(type -> !types.contains(type))
                .thenComparing(type -> isInteger(type) != integers)
                .thenComparing(DType::bits));
  }

  private static boolean isInteger(DType type) {
    return type.name().matches("[IU]\\d+");
  }
}
