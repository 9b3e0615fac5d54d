/**
 * Sample metadata: information about examples beyond their values, such as ids, texts, original
 * shapes and dtypes.
 *
 * <p>The entry point is {@link org.saevhadoop.format.samples.SampleMetadata}: the metadata of a
 * dataset, from which a {@link org.saevhadoop.format.samples.SampleMetadataCursor} returns a range
 * of examples in order. {@link org.saevhadoop.format.samples.Sidecars} opens the metadata next to
 * data files; {@link org.saevhadoop.format.samples.SampleMetadataSource} writes it for new data
 * files.
 *
 * <p>Metadata is stored in one file next to each data file ({@link
 * org.saevhadoop.format.samples.Sidecar}) and copied as opaque JSON: the text of a sample is put on
 * one line and otherwise never changed. Examples without metadata occupy no space. Equal metadata
 * results in equal files.
 *
 * <p>The format is specified in docs/sample-metadata.md; it builds on JSON (RFC 8259), UTF-8 (RFC
 * 3629) and gzip (RFC 1952).
 */
@NullMarked
package org.saevhadoop.format.samples;

import org.jspecify.annotations.NullMarked;
