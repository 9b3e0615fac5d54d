/**
 * Arrays that are not contiguous in C order, or that span several files, are read as if they were
 * contiguous and in one file. This package uses only the size of the elements, not their type.
 *
 * <p>Start with {@link org.saevhadoop.format.gather.GatheredInput}, which presents arrays, possibly
 * from several files, as one {@link org.saevhadoop.format.io.Input}, so that cursors, splits and
 * readers see blocks at offsets. {@link org.saevhadoop.format.gather.StridedReader} reads single
 * arrays. A {@link org.saevhadoop.format.gather.StridedLayout} describes the positions of elements:
 * in C order, in F order, or with any nonnegative strides. A {@link
 * org.saevhadoop.format.gather.StridedAxis} joins dimensions of such an array into one axis. {@link
 * org.saevhadoop.format.gather.SwappedInput} presents big-endian elements as little-endian ones,
 * and {@link org.saevhadoop.format.gather.SectionInput} presents a part of a file as a separate
 * file.
 *
 * <p>Guarantees: an array that is not contiguous is read through a window ({@code StridedWindow}),
 * which is filled in one pass over the stored elements; all windows of a reader share 32 MiB.
 * Random access to a few elements reads only these elements. By default, at most 16 files are open.
 *
 * <p>Source: the strides of {@code numpy.ndarray}, numpy 2.
 */
@NullMarked
package org.saevhadoop.format.gather;

import org.jspecify.annotations.NullMarked;
