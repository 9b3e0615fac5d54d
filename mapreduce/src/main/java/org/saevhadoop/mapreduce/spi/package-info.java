/**
 * The service provider interface of dataset formats. The class to begin with is {@link
 * org.saevhadoop.mapreduce.spi.DatasetFormat}: commands, jobs and the committer use a format only
 * through it. The list of formats is {@code org.saevhadoop.mapreduce.DatasetFormats}; code that
 * needs all formats together takes a {@link org.saevhadoop.mapreduce.spi.FormatRegistry}.
 *
 * <p>Features that only some formats have are capabilities: interfaces that a format may return.
 *
 * <ul>
 *   <li>{@link org.saevhadoop.mapreduce.spi.DatasetWriting}: datasets can be written. A format
 *       without it can only be read.
 *   <li>{@link org.saevhadoop.mapreduce.spi.ProvenanceDocuments}: the format adds documents to
 *       provenance, and interprets them.
 *   <li>{@link org.saevhadoop.mapreduce.spi.DatasetSurvey}: a dataset must be scanned before it is
 *       converted.
 *   <li>{@link org.saevhadoop.mapreduce.spi.StreamAccess}: there are files that can only be read
 *       sequentially, and must be staged before blocks can be read at any offset.
 *   <li>{@link org.saevhadoop.mapreduce.spi.NamedTensors}: the format stores tensors under names or
 *       keys.
 *   <li>{@link org.saevhadoop.mapreduce.spi.RecordedArrays}: arrays can be listed as they were
 *       recorded.
 * </ul>
 *
 * <p>A conversion passes through the format that is written as follows: {@link
 * org.saevhadoop.mapreduce.spi.DatasetWriting#prepare} gets the {@link
 * org.saevhadoop.mapreduce.spi.ConversionSource} and returns a {@link
 * org.saevhadoop.mapreduce.spi.PreparedWrite}, once and before the job; {@link
 * org.saevhadoop.mapreduce.spi.DatasetWriting#write} gets the {@link
 * org.saevhadoop.mapreduce.spi.WriteContext} in the client and in each task.
 *
 * <p>A format describes a dataset to a {@link org.saevhadoop.mapreduce.spi.ReportSink}, either as a
 * {@link org.saevhadoop.mapreduce.spi.DatasetReport} or as a {@link
 * org.saevhadoop.mapreduce.spi.TensorListing}; the command renders both as text or as JSON.
 *
 * <p>No type in this package depends on Hadoop or Jackson: locations are {@link
 * org.saevhadoop.format.io.Location}s, and the user's choices are {@link
 * org.saevhadoop.mapreduce.conf.Settings}.
 */
@NullMarked
package org.saevhadoop.mapreduce.spi;

import org.jspecify.annotations.NullMarked;
