/**
 * Files of arrays: finding them, and what their headers state.
 *
 * <p>{@link org.saevhadoop.format.arrays.file.ArrayReader} is implemented by each kind of file; an
 * {@link org.saevhadoop.format.arrays.file.ArrayFile} is what one file contains, and a {@link
 * org.saevhadoop.format.arrays.file.FileArray} locates the elements of an array. {@link
 * org.saevhadoop.format.arrays.file.ArrayFiles} finds the files of a folder and those that a {@link
 * org.saevhadoop.format.arrays.file.NamePattern} names. Many files have equal headers: {@link
 * org.saevhadoop.format.arrays.file.SharedContents} keeps one {@code ArrayFile} for all of them. A
 * file that stores its examples in several parts, such as record batches, is as many contents of
 * the same arrays, each of which becomes a group of examples.
 *
 * <p>Guarantees: every element that a {@code FileArray} describes is in its file. Nothing that a
 * file names is executed or opened.
 */
@NullMarked
package org.saevhadoop.format.arrays.file;

import org.jspecify.annotations.NullMarked;
