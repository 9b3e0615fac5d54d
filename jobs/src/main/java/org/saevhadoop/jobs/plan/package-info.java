/**
 * Verbs as values, with their plans before they run.
 *
 * <p>The class to begin with is {@link org.saevhadoop.jobs.plan.Verb}: it finds its sources and
 * returns a {@link org.saevhadoop.jobs.plan.Prepared}, which describes itself as a {@link
 * org.saevhadoop.jobs.plan.RunPlan} (tasks, files, bytes, folders for temporary files, losses and
 * changes) or runs. A verb that only reads is prepared as a {@link
 * org.saevhadoop.jobs.plan.PreparedReading}, which is given the jobs to run over the open sources;
 * if a source is a stream, the plan describes its staging. Conversions are prepared in the package
 * {@code convert}.
 *
 * <p>Plans come from the same code as runs: sources are opened, jobs are built, and {@link
 * org.saevhadoop.jobs.run.JobRunner#plan} checks their output and computes their splits. A dry run
 * ends before the first write, so it is refused whenever the run would be refused.
 */
@NullMarked
package org.saevhadoop.jobs.plan;

import org.jspecify.annotations.NullMarked;
