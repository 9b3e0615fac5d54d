/**
 * SDNB files: a header, a FlatBuffer with the graph, arrays, and a manifest that locates them.
 * Start with {@link org.saevhadoop.format.samediff.sdnb.SdnbFile}, which reads everything except
 * values, or with {@link org.saevhadoop.format.samediff.sdnb.SdnbLayout}, which computes all bytes
 * of a new file except values.
 *
 * <pre>
 *   32 bytes   {@code SdnbHeader}, big-endian: "SDNB", version, offset and length of the manifest,
 *              and the offset of the FlatBuffer, which is 32
 *   FlatGraph  a FlatBuffer, little-endian; small arrays of the real writer are inline
 *   arrays     little-endian, in c or f order; ours begin at multiples of 64 bytes
 *   manifest   Java serialization: a map of names to offsets and lengths
 * </pre>
 *
 * <p>A {@link org.saevhadoop.format.samediff.sdnb.StoredArray} describes an array whose values are
 * in the file, inline or appended: kind, type, dimensions, order, offset and length. Files of 2025
 * do not record the order. An array without a known layout, such as an array of strings, is listed
 * separately.
 *
 * <p>The FlatBuffer is read by {@code GraphReader} through {@link
 * org.saevhadoop.format.flatbuffer.FlatTable}, without generated classes, and written by {@code
 * GraphWriter}. The manifest is read by {@code SdnbManifestParser} without {@link
 * java.io.ObjectInputStream}: it accepts five classes, compares their descriptions with a table
 * ({@code SerialClass}) and instantiates none of them. {@code SdnbManifestEncoder} writes it with
 * {@link java.io.ObjectOutputStream}, with the class description of ND4J's pair.
 *
 * <p>Guarantees: each offset is checked before it is followed. Arrays are within the file, do not
 * overlap, and have the length that follows from their shape and type; the graph and the manifest
 * agree. Memory use is bounded by {@code SdnbLimits}, and time by the lengths of the graph and the
 * manifest. Equal arrays and metadata yield equal bytes.
 *
 * <p>Sources: SameDiffSerializer and the schemas in libnd4j/include/graph/scheme of deeplearning4j,
 * commit 0db14318, and its SdnbReader (C++), which determines the position of the last array; <a
 * href="https://flatbuffers.dev/internals/">FlatBuffers internals</a>; Java Object Serialization
 * Specification, version 6.0, chapter 6 (grammar of the stream).
 */
@Internal
@NullMarked
package org.saevhadoop.format.samediff.sdnb;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
