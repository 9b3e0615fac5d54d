/**
 * The commands that run verbs, such as {@code convert} and {@code digest}, and the base of all
 * commands that read datasets.
 *
 * <p>A command consists of its options, its report and its exit code. It checks the command line,
 * passes the settings to a verb of {@code org.saevhadoop.jobs}, and prints the result; it contains
 * no job. {@link org.saevhadoop.converters.command.ConvertCommand} is a good example; {@link
 * org.saevhadoop.converters.command.ConversionReport} is its result as JSON.
 *
 * <p>{@link org.saevhadoop.converters.command.SourceCommand} has the reading options of all formats
 * and makes the {@link org.saevhadoop.jobs.source.SourceRequest} of each dataset that a command
 * names. If there are several datasets, an option applies to each dataset in whose format it has an
 * effect; {@code -D saev.input.<i>.KEY} applies to a single dataset. Options that have no effect
 * cause a warning.
 *
 * <p>A {@link org.saevhadoop.converters.command.NextCommand} is a command that is printed with a
 * note, a proposal or an error, ready to be pasted.
 *
 * <p>Options are created from keys ({@link org.saevhadoop.converters.options}); {@code
 * AttachedValue} is for an option whose value must be attached to it.
 */
@Internal
@NullMarked
package org.saevhadoop.converters.command;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
