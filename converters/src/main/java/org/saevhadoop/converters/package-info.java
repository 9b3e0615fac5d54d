/**
 * The command line of saev-hadoop. {@link org.saevhadoop.converters.Main} is the entry point. Exit
 * codes are 0 for success, 1 if the data or the job failed, and 2 if the command line is invalid.
 *
 * <p>Each command is a class {@code ...Command} in a subpackage: {@code bench}, {@code cat}, {@code
 * command}, {@code inspect}, {@code options} or {@code stats}. {@code inspect}, {@code cat}, {@code
 * list} and the benchmarks read data in this process; the commands that run verbs, such as {@code
 * convert} and {@code digest}, run jobs. If a format is a stream, a job first stages its files.
 *
 * <p>{@code CommandWords} checks the words before picocli parses them: a word that is neither a
 * command nor an option, value or path is reported before missing words, with a suggestion of what
 * to type instead.
 *
 * <p>No class here names a dataset format. Commands use the formats in {@code
 * org.saevhadoop.format.DatasetFormats} through {@code org.saevhadoop.format.spi}. docs/commands
 * describes the commands, and docs/cluster.md explains how to run them on YARN.
 */
@NullMarked
package org.saevhadoop.converters;

import org.jspecify.annotations.NullMarked;
