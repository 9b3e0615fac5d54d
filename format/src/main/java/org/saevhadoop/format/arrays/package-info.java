/**
 * Arrays under names in files that other programs wrote. {@link
 * org.saevhadoop.format.arrays.ArrayReader} is implemented by each kind of file; an {@link
 * org.saevhadoop.format.arrays.ArrayFile} is what one file contains, and a {@link
 * org.saevhadoop.format.arrays.StoredArray} says where the elements of an array are.
 *
 * <p>Guarantees: reading a file reads headers and documents, no elements. Every element that a
 * {@code StoredArray} describes is in its file. Nothing that a file names is executed or opened.
 */
@NullMarked
package org.saevhadoop.format.arrays;

import org.jspecify.annotations.NullMarked;
