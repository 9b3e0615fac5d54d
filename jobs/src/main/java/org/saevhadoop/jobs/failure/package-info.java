/**
 * Reduces failures to one line for the user.
 *
 * <p>{@link org.saevhadoop.jobs.failure.ErrorMessages} handles exceptions, and stack traces in the
 * diagnostics of a task. Names in a dataset may contain terminal escape sequences and line breaks:
 * all lines pass through {@link org.saevhadoop.format.io.Quote}.
 *
 * <p>{@link org.saevhadoop.jobs.failure.FailureDiagnostics} recognizes the messages with which YARN
 * and MapReduce of Hadoop 3.4 report that a container was killed, cannot start or needs more
 * memory, and names the key that helps; {@link org.saevhadoop.jobs.failure.ContainerRole} is the
 * role of the container: application master, map task or reduce task. Text that is not recognized
 * is passed on unchanged.
 *
 * <p>This package depends on neither jobs nor servers.
 */
@Internal
@NullMarked
package org.saevhadoop.jobs.failure;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
