/**
 * The commands {@code bench}, which measures how fast the readers of {@link
 * org.saevhadoop.format.reader.vector} deliver vectors, compared with a plain read of the same
 * bytes, and {@code bench-keys}, which measures the time to fetch single tensors by their keys.
 * docs/benchmarks.md has results.
 */
@NullMarked
package org.saevhadoop.converters.bench;

import org.jspecify.annotations.NullMarked;
