/**
 * Runs jobs over datasets, in this process or on YARN.
 *
 * <p>{@link org.saevhadoop.jobs.run.JobRunner} runs a {@link org.saevhadoop.jobs.run.DatasetJob}:
 * one or more sources, mapper, combiner and reducer, and either results, which tasks hand over as
 * {@code Writable} pairs ({@link org.saevhadoop.jobs.run.TaskResults}), or an output that tasks
 * write ({@link org.saevhadoop.jobs.run.JobOutput}). No other class creates a job of Hadoop.
 *
 * <p>A job is submitted and followed by {@code JobAttempt}. If the cluster loses the application
 * master ({@link org.saevhadoop.jobs.run.LostMasters}), a job that has only results is submitted
 * again; one that belongs to a run is continued by its verb. If the thread is interrupted, the job
 * is killed within ten seconds. A failure becomes a {@link
 * org.saevhadoop.jobs.run.JobFailedException} with one line.
 *
 * <p>Nothing here is static: any number of runners may be at work in a JVM.
 */
@NullMarked
package org.saevhadoop.jobs.run;

import org.jspecify.annotations.NullMarked;
