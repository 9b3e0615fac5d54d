/**
 * The input and output of a job as immutable values. The class to begin with is {@link
 * org.saevhadoop.mapreduce.job.ConversionSpec}, which consists of
 *
 * <ul>
 *   <li>{@link org.saevhadoop.mapreduce.job.InputSpec}: the source, the projection, the types of
 *       the values ({@link org.saevhadoop.mapreduce.job.DTypeRequest}), the content and order of
 *       records, and the reading keys of the format;
 *   <li>{@link org.saevhadoop.mapreduce.job.OutputSpec}: the writing keys of the format, the data
 *       that is copied in addition to the blocks, and the path.
 * </ul>
 *
 * <p>A specification is built once, from settings that were checked when they were parsed; planner,
 * jobs and tasks use it without further checks of single values. {@code toConf} and {@code
 * fromConf} are the only conversions to and from a job's configuration, so a user's own job that
 * sets the same keys has the same input and output.
 *
 * <p>The keys that are independent of any format are here too: {@link
 * org.saevhadoop.mapreduce.job.InputKeys}, {@link org.saevhadoop.mapreduce.job.OutputKeys}, {@link
 * org.saevhadoop.mapreduce.job.ConversionKeys} and {@link org.saevhadoop.mapreduce.job.DigestKeys}.
 * {@link org.saevhadoop.mapreduce.job.TensorKeys} has the keys that several formats list. The keys
 * of one format are in the package of the format.
 */
@NullMarked
package org.saevhadoop.mapreduce.job;

import org.jspecify.annotations.NullMarked;
