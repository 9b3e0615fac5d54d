/**
 * The metadata.json of SAEV datasets, in all generations of the protocol.
 *
 * <p>The entry point is {@link org.saevhadoop.format.saev.metadata.SaevMetadata}, which parses the
 * text of a metadata.json, creates one for activations without metadata, and derives those of
 * changed or selected datasets. The shape of a dataset, the number of examples per shard and the
 * name of its directory follow from it.
 *
 * <ul>
 *   <li>{@link org.saevhadoop.format.saev.metadata.ProtocolGeneration} lists the generations that
 *       were ever written, with their fields and the commits of the saev project.
 *   <li>{@link org.saevhadoop.format.saev.metadata.MetadataField} gives the fields a name that does
 *       not depend on the generation.
 *   <li>{@link org.saevhadoop.format.saev.metadata.HashRule} computes the names of directories from
 *       metadata, byte for byte as {@code json.dumps} of CPython and {@code orjson.dumps} do.
 *   <li>{@link org.saevhadoop.format.saev.metadata.SaevSelection} is a selection as recorded in the
 *       metadata of the result.
 *   <li>{@link org.saevhadoop.format.saev.metadata.MetadataFaults} reports values that the readers
 *       of saev reject although they do not affect the location of any data.
 * </ul>
 *
 * <p>Parts of a text that do not change are written exactly as they were read. A conversion between
 * generations ({@code MetadataMigration}) is lossless: fields that the target does not have move
 * into {@code data} and are restored by the conversion back.
 *
 * <p>Sources: the protocol specifications and the commits of the saev project, as listed in {@code
 * docs/saev.md}; {@code Lib/json} of CPython and orjson for the text.
 */
@NullMarked
package org.saevhadoop.format.saev.metadata;

import org.jspecify.annotations.NullMarked;
