/**
 * The format of numpy arrays. {@link org.saevhadoop.format.numpy.NpyFormat} is an {@link
 * org.saevhadoop.format.arrays.format.ArrayFormat} whose files {@link
 * org.saevhadoop.format.numpy.file.NumpyReader} reads. {@code NumpyWriting} writes datasets of .npy
 * files ({@link org.saevhadoop.format.numpy.dataset.NpyWritePlan}).
 *
 * <p>Datasets that have .npz files with compressed arrays are streams ({@code NumpyStream}), whose
 * staging inflates these files.
 *
 * <p>Guarantees: all other arrays are read in place, in any order of dimensions and any byte order.
 * Pickles of arrays are read without executing anything; structured types are refused. Values
 * without a header are read only as {@code --raw} describes them. Integers are read as bfloat16
 * only if a document or {@code --dtype-stored} specifies it.
 *
 * <p>Each layer is written to a separate file, {@code layer_<l>.npy}, in parts if it exceeds 1 GiB,
 * and described by the document saev-arrays.json. Types that numpy lacks, and columns whose names
 * cannot be file names, are refused before the job starts. BF16 is written as bytes without a type.
 *
 * <p>Sources: numpy/lib/_format_impl.py and numpy/lib/_npyio_impl.py of numpy 2.4.6 for .npy and
 * .npz files; for memory maps, the forks of dictionary_learning that train crosscoders, which write
 * {@code shard_<i>.memmap} and {@code shard_<i>.meta}.
 */
@Internal
@NullMarked
package org.saevhadoop.format.numpy;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
