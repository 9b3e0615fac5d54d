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
   * Returns the smallest such type, preferring first the given types, and then an integer type for
   * integers and a float type otherwise; empty if no type represents all values.
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
