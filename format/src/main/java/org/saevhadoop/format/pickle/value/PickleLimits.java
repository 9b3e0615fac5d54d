package org.saevhadoop.format.pickle.value;

/**
 * Limits for a pickle, which are far beyond real data but never more than a heap of 256 MiB can
 * hold.
 *
 * @param objectBytes the estimated memory of all objects except payloads
 * @param stack the number of objects on the stack
 * @param depth the nesting depth of containers
 * @param lineBytes the length of a line in protocol 0, which can be array data
 * @param integerBytes the size of an integer in bytes; the number of decimal digits is limited
 *     accordingly
 * @param idleOpcodes the number of consecutive opcodes that allocate no memory
 * @param dimensions the number of dimensions of an array
 * @param expandedObjects the number of objects in the result, each counted as often as it is
 *     reached
 */
public record PickleLimits(
    long objectBytes,
    int stack,
    int depth,
    long lineBytes,
    int integerBytes,
    long idleOpcodes,
    int dimensions,
    long expandedObjects) {
  public static final PickleLimits DEFAULT =
      new PickleLimits(96L << 20, 1 << 20, 500, 256L << 20, 1 << 16, 5_000_000, 64, 1L << 28);
}
