/**
 * The datasets that a verb reads.
 *
 * <p>{@link org.saevhadoop.jobs.source.SourceRequest} is a path with its format and the part of the
 * dataset that is requested, before anything is opened; the values of keys come from a {@link
 * org.saevhadoop.jobs.source.SettingSource}: a configuration, possibly with options of a command
 * line. A verb with several sources has a request for each source, which can have its own keys
 * ({@link org.saevhadoop.mapreduce.conf.SourceKeys}).
 *
 * <p>The path of a folder that is not a dataset denotes the only dataset below it. For any other
 * path, the error names the path of a dataset: {@link
 * org.saevhadoop.jobs.source.NestedDatasetsException} lists several datasets below a folder, which
 * {@link org.saevhadoop.format.NestedDatasets} has searched, and {@code MissingPath} names existing
 * entries near a path that does not exist.
 *
 * <p>{@link org.saevhadoop.jobs.source.OpenedSource} is the open dataset. A stream is first staged,
 * by jobs that this package runs for {@link org.saevhadoop.mapreduce.staging.StreamStaging}: in the
 * folder of a run, or in a temporary folder that is deleted when the source is closed. Several
 * streams are staged at the same time, with the events and the failure of one after another ({@code
 * SourceTurns}). {@code OpenedSource} returns the objects that a job needs to read the dataset: an
 * input format and an {@link org.saevhadoop.mapreduce.job.InputSpec}.
 */
@Internal
@NullMarked
package org.saevhadoop.jobs.source;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
