/**
 * The command {@code cat} ({@link org.saevhadoop.converters.cat.CatCommand}), which prints vectors,
 * sample metadata or a tensor, as text that identifies values exactly, as hexadecimal or raw
 * little-endian bytes, or as a file of numpy.
 *
 * <p>Data is printed while it is read, so memory does not grow with its size, and only the selected
 * bytes of a tensor are read. Examples, layers and tokens have the numbers of the source. The
 * formats {@code npy} and {@code bin} are written to standard output byte for byte.
 */
@NullMarked
package org.saevhadoop.converters.cat;

import org.jspecify.annotations.NullMarked;
