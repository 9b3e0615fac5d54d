/**
 * Publication on the storages of Hadoop, and from its committers.
 *
 * <p>{@link org.saevhadoop.mapreduce.publish.HadoopRunStorage} is what {@link
 * org.saevhadoop.format.publish} needs of HDFS and of object stores, with a lock that is renewed as
 * long as its process lives. {@link org.saevhadoop.mapreduce.publish.RenamingCommitter} moves the
 * files of each committed task to the folder of a run.
 */
@NullMarked
package org.saevhadoop.mapreduce.publish;

import org.jspecify.annotations.NullMarked;
