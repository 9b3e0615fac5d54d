/**
 * A conversion as a value. A {@link org.saevhadoop.mapreduce.job.ConversionSpec} says what is read
 * ({@link org.saevhadoop.mapreduce.job.InputSpec}: a projection, the types of the values, records)
 * and what is written ({@link org.saevhadoop.mapreduce.job.OutputSpec}: a format with its settings,
 * what travels beside the blocks, the place). It is built once from settings that were checked when
 * they were parsed; planner, jobs and tasks take it as it is. {@code toConf} and {@code fromConf}
 * are the only way between it and the configuration of a job, so a job of one's own that sets the
 * same keys means the same.
 */
package org.saevhadoop.mapreduce.job;
