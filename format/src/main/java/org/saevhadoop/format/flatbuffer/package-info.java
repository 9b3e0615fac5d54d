/**
 * A checked reader of FlatBuffers: the graph of SDNB files, and the metadata of Arrow files. {@link
 * org.saevhadoop.format.flatbuffer.FlatTable} is a table, and {@link
 * org.saevhadoop.format.flatbuffer.FlatBytes} is the part of a file that contains it. There is no
 * generated code: callers name fields by their index in the schema.
 *
 * <p>Sources: FlatBuffers internals, https://flatbuffers.dev/internals/, "Tables" and "Vectors".
 *
 * <p>Guarantees: an offset that points outside the FlatBuffer causes an error of the kind that the
 * format has chosen. Memory is bounded by 64 pages of 64 KiB and a limit on the total size of
 * strings. Tables can share their children and can even contain themselves, so callers limit the
 * depth and the number of tables that they follow.
 */
@Internal
@NullMarked
package org.saevhadoop.format.flatbuffer;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
