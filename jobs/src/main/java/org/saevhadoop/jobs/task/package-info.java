/**
 * Tasks of verbs as values: the work on records ({@link org.saevhadoop.jobs.task.Task}), its input
 * and output, and the result that the client makes from them ({@link
 * org.saevhadoop.jobs.task.TaskRecords.Collector}). This package does not define how tasks are run:
 * {@link org.saevhadoop.jobs.run.JobRunner} runs them in threads of this process, or with Hadoop.
 *
 * <p>A record that a task writes consists of a number and bytes. A {@link
 * org.saevhadoop.jobs.task.Streamed} value writes itself to such bytes. The records of all tasks
 * may be larger than the memory of the client, so collectors read them with a cursor. A task of a
 * job whose output is files creates them in {@link org.saevhadoop.jobs.task.TaskOutput#folder}.
 *
 * <p>Work that is not divided by examples, but, for example, by files, is a list of {@link
 * org.saevhadoop.jobs.task.WorkItem}s for threads of this process, and a mapper for Hadoop.
 *
 * <p>To write a task, implement {@code Task} in the package of the verb, name it with {@code
 * DatasetJob.step(..).task(..)}, and collect its records with {@code collect(..)}.
 */
@Internal
@NullMarked
package org.saevhadoop.jobs.task;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
