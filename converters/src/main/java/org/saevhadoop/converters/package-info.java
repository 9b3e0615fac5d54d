/**
 * The command line. {@link org.saevhadoop.converters.Main} is the entry point; each command is a
 * class {@code ...Command}, which prints and reads the configuration through a {@code Console}
 * only. {@code inspect}, {@code cat}, {@code list} and {@code bench} read in this process, {@code
 * convert} and {@code digest} run a job; a stream is staged by a job first.
 *
 * <p>No class here names a format: commands ask the format objects of {@code
 * org.saevhadoop.mapreduce.DatasetFormats}. {@code KeyOptions} makes the options of a command from
 * keys and turns what was typed into settings. {@code SourceRequest} is the dataset that a command
 * is asked to read, {@code OpenedSource} the same once it is open, with the part that was selected.
 *
 * <p>{@code ConvertCommand} checks what was typed, {@code DatasetConversion} works out a conversion
 * before there is a job, {@code DatasetDestination} is where it is written, {@code ConvertPlan}
 * decides whether there is a shuffle, {@code ConvertJob} sets up the job and {@code BlockShuffle}
 * is its map and reduce side if there is a shuffle; {@code DigestJob} is the other job. {@code
 * JobRun} runs either, in the local runner or on YARN.
 */
package org.saevhadoop.converters;
