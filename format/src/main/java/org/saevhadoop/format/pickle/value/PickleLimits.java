package org.saevhadoop.format.pickle.value;

/**
 * What a pickle may have: far more than real data does, and never more than a heap of 256 MiB
 * bears.
 *
 * @param objectBytes memory of all objects but payloads, as estimated
 * @param stack objects on the stack
 * @param depth containers in containers
 * @param textBytes a text that is not array data, in the pickle's bytes: for those who read the
 *     long ones from the payloads
 * @param lineBytes a line of protocol 0: array data may be one
 * @param integerBytes bytes of an integer; decimal digits are limited accordingly
 * @param idleOpcodes opcodes in a row that take no memory
 * @param dimensions dimensions of an array
 * @param expandedObjects objects of the result, each counted as often as it is reached
 */
public record PickleLimits(
    long objectBytes,
    int stack,
    int depth,
    int textBytes,
    long lineBytes,
    int integerBytes,
    long idleOpcodes,
    int dimensions,
    long expandedObjects) {
  /** The defaults. */
  public static final PickleLimits DEFAULT =
      new PickleLimits(
          96L << 20, 1 << 20, 500, 16 << 20, 256L << 20, 1 << 16, 5_000_000, 64, 1L << 28);
}
