/**
 * The command {@code cat}, which prints vectors, sample metadata or a tensor. The class to begin
 * with is {@link org.saevhadoop.converters.cat.CatCommand}.
 *
 * <p>{@code VectorCat} prints the vectors of a dataset, {@code SampleMetadataCat} its sample
 * metadata, and {@code TensorCat} a slice of a single tensor. Data is printed while it is read, so
 * memory does not grow with its size, and only the selected bytes of a tensor are read.
 *
 * <p>Values are printed as text that identifies them exactly ({@code ValueText}), as hexadecimal or
 * raw little-endian bytes, or as a .npy file ({@code NpyPreamble}, NEP 1). Examples, layers and
 * tokens are numbered as in the source.
 *
 * <p>The formats {@code npy} and {@code bin} are written to standard output byte for byte; warnings
 * and errors go to standard error, so output can be redirected to a file.
 */
@Internal
@NullMarked
package org.saevhadoop.converters.cat;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
