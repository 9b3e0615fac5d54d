/**
 * Differences between two datasets of any formats and types.
 *
 * <p>{@link org.saevhadoop.jobs.diff.Diff} is the verb: a map-only job over the splits of the first
 * dataset. A task reads the same blocks of both datasets and reports the differences of each
 * column, which are then combined. Counts are sums, distances are maxima, and the listed values
 * have the smallest coordinates, so the result does not depend on the splits.
 *
 * <p>Values are compared bit by bit after both are widened to a type that represents all values of
 * both. A {@link org.saevhadoop.jobs.diff.Tolerance} decides which differences count.
 */
@NullMarked
package org.saevhadoop.jobs.diff;

import org.jspecify.annotations.NullMarked;
