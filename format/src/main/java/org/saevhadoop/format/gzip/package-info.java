/**
 * Gzip files (RFC 1952), including BGZF.
 *
 * <p>The entry points are {@link org.saevhadoop.format.gzip.PlainOrGzip}, which opens a file that
 * may be compressed, and {@link org.saevhadoop.format.gzip.BgzfOutput}, which writes a compressed
 * file. {@link org.saevhadoop.format.gzip.GzipError} lists the kinds of errors.
 *
 * <p>Every member is checked against its CRC32 and length before the end of the stream is reported;
 * every read after an error reports the error again. Members are read as in CPython's {@code gzip}
 * module, including zeros between members. The extra field of BGZF only speeds up reading and is
 * never trusted. The bytes of a written file depend only on the data and the options.
 *
 * <p>Inflating and deflating use several threads ({@code CompressionWorkers}), which all files of
 * the process share. By default, the strategy is chosen per block: activations rarely repeat, so
 * Huffman coding alone ({@code HuffmanDeflater}) is usually both smaller and faster.
 *
 * <p>Sources: RFC 1951 (deflate), RFC 1952 (gzip), the SAM/BAM specification of htslib, section 4.1
 * (BGZF), and {@code Lib/gzip.py} of CPython.
 */
@Internal
@NullMarked
package org.saevhadoop.format.gzip;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
