package org.saevhadoop.format.combined;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;

/** The type that holds all values of several types exactly. */
final class WidestType {
  private WidestType() {}

  /**
   * Returns the smallest such type: one of the types themselves, or else an integer for integers
   * and a float for all others. Empty if there is none.
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
