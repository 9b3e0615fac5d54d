/**
 * The format of numpy's arrays. {@link org.saevhadoop.mapreduce.numpy.NpyFormat} is an {@link
 * org.saevhadoop.mapreduce.arrays.ArrayFormat} whose files {@link
 * org.saevhadoop.format.numpy.file.NumpyReader} reads.
 *
 * <p>Guarantees: arrays are read where they are, in any order of dimensions and any byte order.
 * Objects and structured types are refused. Integers are bfloat16 only where a document or {@code
 * --dtype-stored} says so.
 *
 * <p>Sources: numpy/lib/_format_impl.py and numpy/lib/_npyio_impl.py of numpy 2.4.6 for .npy and
 * .npz files; for memory maps, the forks of dictionary_learning that train crosscoders, which write
 * {@code shard_<i>.memmap} and {@code shard_<i>.memmap.meta}.
 */
@NullMarked
package org.saevhadoop.mapreduce.numpy;

import org.jspecify.annotations.NullMarked;
