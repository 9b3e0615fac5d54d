/**
 * Files of numpy as a dataset format: .npy, .npz, and memory maps with a document beside them. The
 * class to begin with is {@code NumpyFormat}; {@link org.saevhadoop.mapreduce.numpy.NumpyKeys} has
 * the writing keys.
 *
 * <p>This package maps the format to settings, provenance and reports; files are read by {@code
 * org.saevhadoop.format.numpy.file} and written by {@code org.saevhadoop.format.numpy.write}.
 *
 * <ul>
 *   <li>A dataset is written with one array for each layer, {@code layer_<l>.npy}, in parts if an
 *       array has more than 1 GiB, and the document saev-arrays.json.
 *   <li>Values are written in their stored types. Types that numpy lacks are refused before the
 *       job, but for BF16, which .npy files hold as bytes without a type.
 *   <li>Each layer is a file, so names of columns that cannot be names of files are refused.
 * </ul>
 */
@NullMarked
package org.saevhadoop.mapreduce.numpy;

import org.jspecify.annotations.NullMarked;
