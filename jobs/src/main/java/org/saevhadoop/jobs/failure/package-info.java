/**
 * Reduces failures to one line for the user: {@link org.saevhadoop.jobs.failure.ErrorMessages}
 * those that are exceptions, and {@link org.saevhadoop.jobs.failure.FailureDiagnostics} the texts
 * by which YARN and MapReduce of Hadoop 3.4 report that a container was killed, cannot start or
 * needs more memory. Names in a dataset may contain terminal escape sequences and line breaks: all
 * lines pass through {@link org.saevhadoop.format.io.Quote}.
 *
 * <p>This package depends on neither jobs nor servers.
 */
@NullMarked
package org.saevhadoop.jobs.failure;

import org.jspecify.annotations.NullMarked;
