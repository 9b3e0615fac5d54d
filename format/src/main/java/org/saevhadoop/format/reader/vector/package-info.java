/**
 * Vectors for training, from any dataset on any storage.
 *
 * <p>The entry point is {@link org.saevhadoop.format.reader.vector.VectorView}, which lists the
 * selected vectors. {@link org.saevhadoop.format.reader.vector.IndexedReader} reads them
 * individually, {@link org.saevhadoop.format.reader.vector.OrderedReader} sequentially in batches,
 * and {@link org.saevhadoop.format.reader.vector.ShuffledReader} in random order in batches. The
 * last two determine the destination of each vector before it is read, so any number of threads can
 * fill the same batches; {@link org.saevhadoop.format.reader.vector.ReaderOptions} configures them.
 *
 * <p>The order of a shuffled epoch depends only on the seed and the epoch number ({@code
 * SplitMix64}, {@code ShuffleOrder}); it is the same on every platform. Bits of values are copied
 * unchanged unless scaling is requested. Batches are views of reused buffers and are valid only
 * until the next call. Public readers must be used by one thread.
 *
 * <p>The selections of tokens and layers follow the SAEV protocol; the options have the same
 * defaults as the loaders of the SAEV project.
 */
@NullMarked
package org.saevhadoop.format.reader.vector;

import org.jspecify.annotations.NullMarked;
