/**
 * Output for a person at a terminal: errors, warnings and progress. Errors and warnings are single
 * lines on standard error; results are printed by the commands to standard output.
 *
 * <p>{@link org.saevhadoop.converters.console.Console} is the environment of a command: its
 * configuration, its streams, and its job runner, to which it listens. Any number of commands may
 * run in one JVM at the same time.
 *
 * <p>Names in a dataset may contain terminal escape sequences and line breaks: messages and
 * warnings pass through {@link org.saevhadoop.format.io.Quote}.
 *
 * <p>{@link org.saevhadoop.converters.console.HadoopLog} keeps Hadoop's log off unless the user
 * requests it. {@link org.saevhadoop.converters.console.ProgressDisplay} is a bar on a terminal and
 * a line every ten seconds otherwise.
 *
 * <p>{@link org.saevhadoop.converters.console.JsonOutput} prints the result record of a command as
 * JSON. {@link org.saevhadoop.converters.console.RecordFields} turns the components of a record
 * into fields.
 *
 * <p>Printed commands can be pasted: {@link org.saevhadoop.converters.console.CalledProgram}
 * records how the program was called, and {@link org.saevhadoop.converters.console.ShellWord}
 * quotes its words.
 *
 * <p>This package is independent of the commands and of dataset formats. Sizes are shown by {@link
 * org.saevhadoop.format.io.ByteSizes}.
 */
@Internal
@NullMarked
package org.saevhadoop.converters.console;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
