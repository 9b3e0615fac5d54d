/**
 * Output for a person at a terminal. Errors and warnings are single lines on standard error;
 * results are printed by the commands to standard output.
 *
 * <p>{@link org.saevhadoop.converters.console.Console} is what a command knows of its surroundings.
 * Any number of commands may run in one JVM at the same time. Names in a dataset may contain
 * terminal escape sequences and line breaks: messages and warnings pass through {@link
 * org.saevhadoop.format.io.Quote}. This package is independent of the commands and of dataset
 * formats.
 */
@NullMarked
package org.saevhadoop.converters.console;

import org.jspecify.annotations.NullMarked;
