/**
 * The commands {@code convert} and {@code digest}, which run verbs, and {@link
 * org.saevhadoop.converters.command.SourceCommand}, the base of all commands that read datasets.
 *
 * <p>A command is its options, its report and its exit code. It checks the command line, passes the
 * settings to a verb of {@code org.saevhadoop.jobs}, and prints the result; it contains no job.
 * Options are made from keys ({@link org.saevhadoop.converters.options}). With several datasets, an
 * option applies to each for whose format it has an effect, and {@code -D saev.input.<i>.KEY} to
 * one.
 */
@NullMarked
package org.saevhadoop.converters.command;

import org.jspecify.annotations.NullMarked;
