/**
 * Runs jobs over datasets, in this process or on YARN.
 *
 * <p>{@link org.saevhadoop.jobs.run.JobRunner} holds the objects that verbs share: a configuration,
 * a {@link org.saevhadoop.jobs.run.RunListener}, the servers that have answered, and a folder for
 * temporary files. It runs a {@link org.saevhadoop.jobs.run.DatasetJob}: one or more sources, tasks
 * ({@link org.saevhadoop.jobs.task}, or a Hadoop mapper, combiner and reducer), and a {@link
 * org.saevhadoop.jobs.run.JobOutput}: a collector of task output, or {@link
 * org.saevhadoop.jobs.run.StagedFiles} that tasks write. No other class creates a Hadoop job.
 *
 * <p>In this process, {@code LocalTasks} runs tasks on threads that write to the {@link
 * org.saevhadoop.jobs.run.LocalOutput} of a {@code JobOutput}: one task for each range of examples,
 * or for each {@link org.saevhadoop.jobs.task.WorkItem}. If the data is local, {@code LocalTasks}
 * needs no Hadoop classes. All other jobs are Hadoop jobs, which {@code HadoopTasks} creates: jobs
 * on YARN, and jobs with reducers. Hadoop's {@code LocalJobRunner} runs jobs with reducers in this
 * process, because it sorts and merges the output of the map tasks.
 *
 * <p>{@code JobAttempt} submits a Hadoop job and follows it to its end. If the cluster loses the
 * application master, a job whose output {@linkplain org.saevhadoop.jobs.run.JobOutput#isTemporary
 * is temporary} is submitted once more; any other job fails with {@link
 * org.saevhadoop.jobs.run.JobFailedException#lostMaster}, and its caller decides with {@link
 * org.saevhadoop.jobs.run.LostMasters}. If the thread is interrupted, the job is killed; if it has
 * not ended after eight seconds, the listener is warned that it may still run.
 *
 * <p>A job that fails throws a {@link org.saevhadoop.jobs.run.JobFailedException} whose message is
 * one line. For a task on YARN, {@code JobFailure} reads the diagnostics; {@code LocalJobRunner}
 * only logs the cause, so {@code LocalFailure} listens to its log. An error of the kind {@link
 * org.saevhadoop.jobs.run.JobError} means that it is unknown how the job has ended. The messages
 * that these classes recognize are from Hadoop 3.4 and 3.5: {@code JobImpl} and the log of {@code
 * LocalJobRunner}.
 *
 * <p>Local jobs keep their files in the folder of the runner, which is deleted when the runner is
 * closed or the JVM is stopped ({@code ScratchFolder}). A runner is used by one thread; {@link
 * org.saevhadoop.jobs.run.JobRunner#reportingTo} returns further runners for other threads, which
 * share its threads, servers and temporary files. Runners share the state that Hadoop keeps for
 * each process: the default resources of {@code Configuration}, and the cached local file system.
 *
 * <p>{@link org.saevhadoop.jobs.run.JobRunner#plan} checks a job and computes its splits without
 * writing anything, for the package {@code plan}.
 *
 * <p>To add a verb, create a package next to this one whose class builds a {@code DatasetJob} and
 * passes it to {@link org.saevhadoop.jobs.run.JobRunner#run}. See "A verb is one object" in
 * docs/architecture.md.
 */
@NullMarked
package org.saevhadoop.jobs.run;

import org.jspecify.annotations.NullMarked;
