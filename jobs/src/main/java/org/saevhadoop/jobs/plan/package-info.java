/**
 * What a verb would do, known before it does it.
 *
 * <p>{@link org.saevhadoop.jobs.plan.RunPlan} is the value: tasks, files, bytes, folders for
 * temporary files, losses and changes. A verb that only reads is planned by {@link
 * org.saevhadoop.jobs.plan.DryRun}, given the jobs that it would run over its open sources; if a
 * source is a stream, the plan is that of its staging. A conversion makes its own plan, in the
 * package {@code convert}.
 *
 * <p>Plans come from the code of the runs: sources are opened, jobs are built, and {@link
 * org.saevhadoop.jobs.run.JobRunner#plan} checks their output and makes their splits. Only the
 * first write is missing, so a dry run is refused wherever the run is.
 *
 * <p>To plan a new verb, build its jobs in a method of their own and pass it to {@code DryRun.of}.
 */
@NullMarked
package org.saevhadoop.jobs.plan;

import org.jspecify.annotations.NullMarked;
