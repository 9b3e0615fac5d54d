/**
 * What a person runs. {@link org.saevhadoop.converters.Main} is the command line; each command is a
 * class {@code ...Command}. {@code inspect}, {@code cat} and {@code list} read in this process,
 * {@code convert} and {@code digest} run a job.
 *
 * <p>{@code ConvertCommand} says what is to be written, {@code Destination} where, {@code
 * ConvertPlan} whether with the shuffle, {@code ConvertJob} sets up the job, {@code BlockShuffle}
 * is its map and reduce side where there is a shuffle; {@code DigestJob} is the other job. {@code
 * JobRun} runs either, in the local runner or on YARN. {@code DatasetFormat} is the list of
 * formats: a new one is added there.
 */
package org.saevhadoop.converters;
