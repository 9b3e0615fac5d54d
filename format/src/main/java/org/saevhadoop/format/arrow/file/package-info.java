/**
 * Arrow files: schema and record batches, without the values. {@link
 * org.saevhadoop.format.arrow.file.ArrowReader} returns the columns that are numbers, or lists of
 * numbers, as arrays that are read in place.
 *
 * <pre>
 *   stream  schema, dictionaries, record batches: each a length, a FlatBuffer and a body
 *   file    "ARROW1", a stream, a FlatBuffer that locates the record batches, its length, "ARROW1"
 * </pre>
 *
 * <p>{@code ArrowMessages} finds the messages of both forms, and {@code BatchColumns} finds the
 * nodes and buffers of the columns in a record batch. {@code ColumnRuns} reads the offsets of
 * lists: rows whose lists have equal lengths are one array; where the lengths change, a new part of
 * the file begins. {@code ArrowContent} joins the runs of all columns.
 *
 * <p>Buffers of compressed bodies are addressed as if their content followed the file, buffer by
 * buffer in the order in which the columns are located ({@code PackedBuffers}). A reader of headers
 * uses these addresses and unpacks offsets of lists as it reads them; a reader of staged files uses
 * them too, because the content does follow the file there ({@code ArrowBodies}).
 *
 * <p>Strings, dates and numbers of a row that do not belong to its tokens are sample metadata:
 * {@code SampleFields} chooses the columns by the schema, and {@code SampleRows} reads their values
 * in place, row by row. {@code Dictionaries} tracks the dictionaries from message to message; for
 * columns that contain dictionary indexes, {@code SampleRows} reads the values, and {@code
 * EncodedIntegers} reads the values that are labels, token ids or masks.
 *
 * <p>Guarantees: no memory is allocated only because the file states a size; each offset is checked
 * before it is followed, and all values are in the body of their batch. Time is bounded by the
 * uncompressed length of metadata, offsets and validity bitmaps, and memory by limits on the
 * numbers of fields, batches and runs. A null anywhere in a vector is refused.
 *
 * <p>Sources: docs/source/format/Columnar.rst, Schema.fbs, Message.fbs and File.fbs of Apache Arrow
 * 18; metadata of versions V4 (Arrow 0.8) and V5 (Arrow 1.0).
 */
@Internal
@NullMarked
package org.saevhadoop.format.arrow.file;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
