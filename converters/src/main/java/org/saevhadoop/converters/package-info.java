/**
 * The command line of saev-hadoop: {@link org.saevhadoop.converters.Main} and, in subpackages, a
 * class {@code ...Command} for each command. {@code convert} and {@code digest} run a job, as does
 * the staging of a format that is a stream; the other commands read data in this process.
 *
 * <p>No class here names a dataset format. Commands use the formats in {@code
 * org.saevhadoop.mapreduce.DatasetFormats} through {@code org.saevhadoop.mapreduce.spi}. README.md
 * describes the commands, and docs/operations.md how to run them.
 */
@NullMarked
package org.saevhadoop.converters;

import org.jspecify.annotations.NullMarked;
