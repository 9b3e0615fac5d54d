/**
 * The metadata.json of SAEV datasets, in all generations of the protocol.
 *
 * <p>The entry point is {@link org.saevhadoop.format.saev.metadata.SaevMetadata}, which parses the
 * text of a metadata.json, creates one for activations without metadata, and derives the metadata
 * of changed or selected datasets. The shape of a dataset, the number of examples per shard and the
 * name of its directory follow from this document.
 *
 * <p>Parts of a text that do not change are written exactly as they were read. A conversion between
 * generations ({@code MetadataMigration}) is lossless: fields that the target lacks move into
 * {@code data} and are restored by the conversion back.
 *
 * <p>Sources: the protocol specifications and the commits of the saev project, as listed in {@code
 * docs/saev.md}; {@code Lib/json} of CPython and orjson for the text.
 */
@Internal
@NullMarked
package org.saevhadoop.format.saev.metadata;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
