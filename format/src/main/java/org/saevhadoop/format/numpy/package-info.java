/**
 * The format of numpy's arrays. {@link org.saevhadoop.format.numpy.NpyFormat} is an {@link
 * org.saevhadoop.format.arrays.format.ArrayFormat} whose files {@link
 * org.saevhadoop.format.numpy.file.NumpyReader} reads. {@code NumpyWriting} writes datasets of .npy
 * files ({@link org.saevhadoop.format.numpy.dataset.NpyWritePlan}).
 *
 * <p>Datasets that have .npz files with compressed arrays are streams ({@code NumpyStream}), whose
 * staging inflates these files.
 *
 * <p>Guarantees: other arrays are read where they are, in any order of dimensions and any byte
 * order. Pickles of arrays are read without executing anything; structured types are refused.
 * Values without a header are read only as {@code --raw} describes them. Integers are bfloat16 only
 * where a document or {@code --dtype-stored} names it.
 *
 * <p>Each layer is written to a file of its own, {@code layer_<l>.npy}, in parts if it has more
 * than 1 GiB, and described by the document saev-arrays.json. Types that numpy lacks are refused
 * before the job, except for BF16, which .npy files hold as bytes without a type; so are columns
 * whose names cannot be file names.
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
