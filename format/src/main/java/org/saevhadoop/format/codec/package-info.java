/**
 * Codecs that Java lacks: this package decodes LZ4, and zstd-jni decodes ZSTD if that library is on
 * the class path.
 *
 * <p>{@link org.saevhadoop.format.codec.Lz4Block} decodes a block into an array provided by the
 * caller; {@link org.saevhadoop.format.codec.Lz4Frame} and {@link org.saevhadoop.format.codec.Zstd}
 * are streams that do not state their output size. A caller that knows the size reads one more
 * byte, so that longer output is an error instead of a waste of memory.
 *
 * <p>Errors in the data are {@link java.lang.IllegalArgumentException}s and {@link
 * java.nio.BufferUnderflowException}s without a path: the reader of a file adds the path and names
 * the compressed data. Errors of the file itself remain {@link java.io.IOException}s.
 *
 * <p>Guarantees: an LZ4 frame takes twice the size of its largest block in memory, at most 8 MiB,
 * regardless of its header; all of its checksums are compared. zstd-jni allocates the window of a
 * frame outside the heap, at most 128 MiB.
 *
 * <p>Sources: lz4_Block_format.md and lz4_Frame_format.md (1.6.4) of lz4/lz4, xxhash_spec.md of
 * Cyan4973/xxHash; RFC 8878 for the compression ratio of ZSTD.
 */
@Internal
@NullMarked
package org.saevhadoop.format.codec;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
