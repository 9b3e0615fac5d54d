/**
 * The search for files of arrays, and the content of their headers.
 *
 * <p>{@link org.saevhadoop.format.arrays.file.ArrayReader} is implemented by each kind of file; an
 * {@link org.saevhadoop.format.arrays.file.ArrayFile} is the content of one file, and a {@link
 * org.saevhadoop.format.arrays.file.FileArray} locates the elements of an array. {@link
 * org.saevhadoop.format.arrays.file.ArrayFiles} finds the files of a folder, or the files that
 * match a {@link org.saevhadoop.format.arrays.file.NamePattern}. Many files have equal headers:
 * {@link org.saevhadoop.format.arrays.file.SharedContents} keeps one {@code ArrayFile} for all of
 * them. A file that stores its examples in several parts, such as record batches, provides the same
 * arrays once per part, and each part becomes a group of examples.
 *
 * <p>Guarantees: every element that a {@code FileArray} describes is in its file. Nothing that a
 * file names is executed or opened.
 */
@NullMarked
package org.saevhadoop.format.arrays.file;

import org.jspecify.annotations.NullMarked;
