/**
 * Files in the formats of numpy, whose arrays are read in place: .npy, .npz ({@code numpy.savez}),
 * memory maps with a document, as written by forks of dictionary_learning, values without any
 * description, and pickles.
 *
 * <p>Start with {@link org.saevhadoop.format.numpy.file.NumpyReader}.
 *
 * <ul>
 *   <li>.npy: the versions 1.0, 2.0 and 3.0, C and F order, any byte order. A file can contain
 *       several arrays. Other bytes after an array cause a warning, because numpy.load ignores
 *       them. An array of objects is a pickle after the header.
 *   <li>.npz: a ZIP archive of entries {@code NAME.npy}. An array that numpy cannot load without
 *       {@code allow_pickle}, or whose type is not a number, is left out with a warning if there
 *       are others. Only the header of a compressed entry ({@code numpy.savez_compressed}) is
 *       inflated; {@link org.saevhadoop.format.inflated} reads the elements.
 *   <li>.memmap: elements in C order without a header. The document {@code NAME.memmap.meta} or
 *       {@code NAME.meta} is a JSON object with {@code shape} and {@code dtype}, float32 by
 *       default; the names of numpy and torch types are recognized. The length of the file must
 *       match the array.
 *   <li>Values only: the user describes them ({@link org.saevhadoop.format.numpy.file.RawArray}).
 *       Shapes that names and documents state ({@link org.saevhadoop.format.numpy.file.RawShapes})
 *       are only proposed.
 *   <li>Pickles: read by {@link org.saevhadoop.format.arrays.pickled}.
 * </ul>
 *
 * <p>Guarantees: only headers and documents are read. A file that is accepted contains all elements
 * of its arrays. .npy files record the types of ml_dtypes as bytes without a type, and bfloat16 is
 * sometimes stored as int16: the caller must name the type of such elements.
 *
 * <p>Sources: numpy/lib/_format_impl.py and numpy/lib/_npyio_impl.py of numpy 2.4; {@code
 * save_shard} and {@code ActivationShard} in dictionary_learning/cache.py of the crosscoder forks
 * of dictionary_learning; {@code dstore} in knnlm.py of neulab's knn-transformers.
 */
@Internal
@NullMarked
package org.saevhadoop.format.numpy.file;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
