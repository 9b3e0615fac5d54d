/**
 * Reads any dataset, on any storage.
 *
 * <p>Jobs read blocks: a {@link org.saevhadoop.format.reader.RecordSelection} says which and in
 * which order, a {@link org.saevhadoop.format.reader.BlockCursor} brings them in large sequential
 * reads.
 *
 * <p>Training reads vectors: a {@link org.saevhadoop.format.reader.VectorView} lists them, and
 * {@link org.saevhadoop.format.reader.IndexedReader}, {@link
 * org.saevhadoop.format.reader.OrderedReader} and {@link
 * org.saevhadoop.format.reader.ShuffledReader} read them, one by one, in order or in a random
 * order. The last two say which vector goes where before it is read, so that any number of threads
 * fill the same batches.
 *
 * <p>Floats are copied and not looked at, unless a reader is asked to scale them.
 */
package org.saevhadoop.format.reader;
