/**
 * The input and output of a job as immutable values. The class to begin with is {@link
 * org.saevhadoop.mapreduce.job.ConversionSpec}, which consists of an {@link
 * org.saevhadoop.mapreduce.job.InputSpec} and an {@link org.saevhadoop.mapreduce.job.OutputSpec}.
 * It is built once, from settings that were checked when they were parsed; the planner, jobs and
 * tasks use it without further checks of individual values. {@code toConf} and {@code fromConf} are
 * the only conversions to and from a job's configuration, so a user's own job that sets the same
 * keys has the same input and output.
 *
 * <p>This package also contains the keys that are independent of any format, such as {@link
 * org.saevhadoop.mapreduce.job.InputKeys}, and {@link
 * org.saevhadoop.format.arrays.format.ArrayKeys} has the keys that several formats list. The keys
 * of one format are in the package of the format.
 */
@Internal
@NullMarked
package org.saevhadoop.mapreduce.job;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
