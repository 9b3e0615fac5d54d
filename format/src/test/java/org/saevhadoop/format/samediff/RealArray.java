package org.saevhadoop.format.samediff;

import java.util.List;

/**
 * An array of a SameDiff file as a loader sees it.
 *
 * @param name the name of the variable
 * @param dtype the type as SameDiff names it, such as {@code FLOAT}
 * @param shape the dimensions; empty for a scalar
 * @param bytes the values in C order, little-endian
 */
public record RealArray(String name, String dtype, List<Long> shape, byte[] bytes) {}
