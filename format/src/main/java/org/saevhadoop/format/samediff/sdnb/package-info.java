/**
 * SDNB files of SameDiff: a header, a FlatBuffer with the graph, arrays, and a manifest that names
 * them.
 *
 * <p>The manifest is a Java serialization stream. {@code SdnbManifestParser} reads it without
 * {@link java.io.ObjectInputStream}: it accepts five classes, compares their descriptions with a
 * table ({@code SerialClass}) and instantiates none of them. {@code SdnbManifestEncoder} writes the
 * bytes that {@link java.io.ObjectOutputStream} writes.
 *
 * <p>Memory is bounded by {@code SdnbLimits}, time by the length of the manifest.
 *
 * <p>Sources: the Java Object Serialization Specification, version 6.0, chapter 6 (grammar of the
 * stream); ADR 0035 and the serializer of deeplearning4j, commit 0db14318 (content of the
 * manifest).
 */
package org.saevhadoop.format.samediff.sdnb;
