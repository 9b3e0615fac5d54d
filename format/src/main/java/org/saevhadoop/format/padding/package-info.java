/**
 * Tokens that fill up examples, recognized by the marks that the writer of a dataset has left.
 *
 * <p>Start with {@link org.saevhadoop.format.padding.TokenPadding}, which reads the padding of
 * ranges of examples. {@code SampleLength} is the part of a sample's metadata from which padding
 * follows.
 *
 * <p>Marks are integers of -1 in all token arrays, as {@link
 * org.saevhadoop.format.tokens.TokenArrays} defines them, and the original shape of an array that
 * was filled up, as docs/sample-metadata.md describes it. Values of vectors are no mark: a vector
 * of zeros may be an activation.
 *
 * <p>This package depends on the model of datasets and is used by jobs; no dataset depends on it.
 */
@NullMarked
package org.saevhadoop.format.padding;

import org.jspecify.annotations.NullMarked;
