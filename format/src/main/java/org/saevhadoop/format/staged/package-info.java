/**
 * Records of staged data: files that a command writes for its own use, reads at any offset, and
 * deletes when it ends, such as the rows of a shuffle and the blocks of pickled shards. A part is
 * the output of one task; its {@link org.saevhadoop.format.staged.StagedRecord} lists its files
 * with their lengths and checksums. The record is written after all files of the part, and a part
 * without a complete record, or with a file of another length, is treated as missing.
 *
 * <p>Start with {@link org.saevhadoop.format.staged.StagedFolder}, which writes records, finds the
 * complete parts, and compares files with the record when they are read. A reader that finds damage
 * removes the record, so that the part is staged again.
 *
 * <p>Files of part N are named {@code <content>-N}, with any extension; the client's own files have
 * records whose names do not begin with a digit. The files of this package have no stable format: a
 * record is read only by the version of the program that wrote it.
 */
@Internal
@NullMarked
package org.saevhadoop.format.staged;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
