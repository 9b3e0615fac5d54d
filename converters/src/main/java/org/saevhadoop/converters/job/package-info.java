/**
 * Runs MapReduce jobs, from {@link org.saevhadoop.converters.job.JobRun}.
 *
 * <p>A job runs on YARN or in the local runner of this process, as {@code mapreduce.framework.name}
 * defines. {@link org.saevhadoop.converters.job.JobRun#prepare} loads the site files before it
 * asks. For the local runner, defaults are set with which it uses all cores within the heap; values
 * that the site files or the user set take precedence.
 *
 * <p>{@link org.saevhadoop.converters.job.JobRun#run} shows progress and waits for the job. It
 * throws {@link org.saevhadoop.converters.job.JobRun.Failed}, with the message of the first failed
 * task, only if the job is known to have failed; {@code Failed.lostMaster} states whether the
 * application master died instead, and {@link org.saevhadoop.converters.job.LostMasters} decides
 * whether another job follows. Any other {@code IOException} means that the result is unknown, so
 * callers must not delete the output then. {@code JobFollower} asks the job and, if it does not
 * answer, the ResourceManager; {@code JobFailure} finds the task that made the job fail, and {@code
 * FailureDiagnostics} reduces the diagnostics of YARN to one line that names the setting to change.
 * A job on YARN is recorded in the folder of its run; {@link
 * org.saevhadoop.converters.job.YarnApplications} determines whether it has ended. Jobs of the
 * local runner keep all their files in the folder of the command ({@link
 * org.saevhadoop.converters.console.Console#scratch}).
 *
 * <p>Hadoop's clients retry for minutes. {@link org.saevhadoop.converters.job.FirstContact}
 * therefore waits for an answer of each server before a command uses it: at most for the time that
 * {@code saev.contact.timeout} sets, and with a connection of its own. All later requests are
 * repeated as {@code ServerRetries} and the user's settings define, so that a job survives the
 * restart of a server.
 *
 * <p>The first contact is also the first authentication. Failures of Kerberos, and of a client and
 * a server of which only one is secured, are one line as well.
 *
 * <p>Jobs of the local runner write through {@link
 * org.saevhadoop.converters.job.NioLocalFileSystem}, unless {@code fs.file.impl} names another file
 * system: Hadoop starts a process for each file whose permissions it sets.
 *
 * <p>The local runner only logs the cause of a failure, so {@link
 * org.saevhadoop.converters.console.HadoopLog} records it.
 */
package org.saevhadoop.converters.job;
