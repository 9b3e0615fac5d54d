/**
 * The commands {@code bench} and {@code bench-keys}.
 *
 * <p>{@link org.saevhadoop.converters.bench.BenchCommand} measures how fast the readers of {@link
 * org.saevhadoop.format.reader.vector} deliver vectors, compared with {@code PlainRead}, a single
 * thread that reads the same bytes. {@link org.saevhadoop.converters.bench.BenchKeysCommand}
 * measures the time to fetch single tensors by their keys.
 *
 * <p>Figures of {@code bench} are medians over rounds; the first round is a warm-up and is not
 * counted. Data in the page cache is read at memory speed, so a disk can be measured only with a
 * dataset that is larger than memory. docs/benchmarks.md has results.
 *
 * <p>Results are printed as text or as one JSON object. Neither command writes to the dataset.
 */
@Internal
@NullMarked
package org.saevhadoop.converters.bench;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
