/**
 * What a format is to the rest of the program: one {@link
 * org.saevhadoop.mapreduce.spi.DatasetFormat}. Commands, jobs and the committer know formats only
 * through it; the one list of formats is {@code org.saevhadoop.mapreduce.DatasetFormats}.
 *
 * <p>What not every format can do is a capability: an interface that a format returns or does not.
 * {@link org.saevhadoop.mapreduce.spi.StreamAccess} is for formats whose files can only be read
 * from their beginning to their end; {@link org.saevhadoop.mapreduce.spi.NamedTensors} for formats
 * that hold tensors under names or keys; {@link org.saevhadoop.mapreduce.spi.RecordedArrays} for
 * formats whose arrays can be listed as they were recorded.
 *
 * <p>No type here knows Hadoop: places are {@link org.saevhadoop.format.io.Location}s, and what a
 * user chose is {@link org.saevhadoop.mapreduce.conf.Settings}.
 */
package org.saevhadoop.mapreduce.spi;
