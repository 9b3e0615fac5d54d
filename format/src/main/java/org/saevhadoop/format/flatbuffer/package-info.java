/**
 * A checked reader of FlatBuffers, in which SDNB files store their graph and Arrow files their
 * metadata. {@link org.saevhadoop.format.flatbuffer.FlatTable} is a table, {@link
 * org.saevhadoop.format.flatbuffer.FlatBytes} the part of a file that contains it. There is no
 * generated code: callers name fields by their index in the schema.
 *
 * <p>Sources: FlatBuffers internals, https://flatbuffers.dev/internals/, "Tables" and "Vectors".
 *
 * <p>Guarantees: an offset that points outside the FlatBuffer is an error of the kind that the
 * format chose. Memory is bounded by 64 pages of 64 KiB and the texts that are read, whose sum is
 * limited. Tables may share their children, and may even contain themselves: callers limit the
 * depth and the number of tables that they follow.
 */
@Internal
@NullMarked
package org.saevhadoop.format.flatbuffer;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
