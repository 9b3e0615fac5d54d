/**
 * Datasets of .npy files as this project writes them: an array {@code [n, token, dim]} for each
 * layer, and one document.
 *
 * <p>Start with {@link org.saevhadoop.format.numpy.dataset.NpyWritePlan}, which writes such a
 * dataset, and {@link org.saevhadoop.format.numpy.dataset.ArraysTable}, which reads it. {@link
 * org.saevhadoop.format.numpy.dataset.ArraysDocument} is the document, {@code saev-arrays.json}.
 *
 * <ul>
 *   <li>{@code layer_13.npy} holds layer 13 of all examples; other columns are named in the same
 *       way. If the files of a dataset would be too large, each is divided into parts of equal
 *       numbers of examples, {@code layer_13.00000.npy}, {@code layer_13.00001.npy} and so on.
 *   <li>{@code labels.npy}, uint8 {@code [n, patch]}, holds the labels of the patches, if there are
 *       any.
 *   <li>bfloat16 is written with the dtype {@code <V2}, as numpy itself writes arrays of ml_dtypes;
 *       {@code numpy.load(file).view(ml_dtypes.bfloat16)} reads it. The document names the type.
 *   <li>The document lists columns with their types and shapes, the files in the order of their
 *       examples, and the documents of the provenance.
 * </ul>
 *
 * <p>The files of one part are written by one task. A plan names only the first file of a part,
 * which is committed after the others; the lengths of all files are checked before the document is
 * written.
 */
@Internal
@NullMarked
package org.saevhadoop.format.numpy.dataset;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
