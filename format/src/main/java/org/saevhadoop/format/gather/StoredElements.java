package org.saevhadoop.format.gather;

/**
 * Elements of an array that are stored in a file.
 *
 * @param <F> the type that identifies a file
 * @param layout the positions of the elements in the file
 */
public record StoredElements<F>(F file, StridedLayout layout) {}
