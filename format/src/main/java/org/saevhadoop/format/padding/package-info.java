/**
 * Padding of examples, recognized by the marks that the writer of a dataset left.
 *
 * <p>Start with {@link org.saevhadoop.format.padding.TokenPadding}, which reads the padding of
 * ranges of examples. {@code SampleLength} is the part of a sample's metadata that determines
 * padding. {@link org.saevhadoop.format.padding.PaddingMask} represents the padding of a dataset as
 * an array.
 *
 * <p>Marks are masks and token ids with known names, as {@link
 * org.saevhadoop.format.tokens.PaddingMarks} defines them, and the original shape of an array that
 * was padded; docs/padding.md has the rules. Values of vectors do not mark padding: a vector of
 * zeros can be an activation.
 *
 * <p>This package depends on the dataset model and is used by jobs; no dataset depends on it.
 */
@Internal
@NullMarked
package org.saevhadoop.format.padding;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
