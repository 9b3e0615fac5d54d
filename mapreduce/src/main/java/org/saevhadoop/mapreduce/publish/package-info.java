/**
 * Publication on Hadoop file systems and by Hadoop committers.
 *
 * <p>{@link org.saevhadoop.mapreduce.publish.HadoopRunStorage} gives {@link
 * org.saevhadoop.format.publish} access to HDFS and object stores, with a lock that is renewed as
 * long as its process is running. {@link org.saevhadoop.mapreduce.publish.RenamingCommitter} moves
 * the files of each committed task to the folder of a run.
 *
 * <p>HDFS has folders, which a rename moves as a whole; object stores have no folders, and a rename
 * there is a copy. {@code org.saevhadoop.mapreduce.publish.RenewedRunLock}, a file that its holder
 * rewrites periodically, is the lock for both. When the JVM is stopped, the folders of runs are
 * closed before Hadoop closes its file systems.
 */
@Internal
@NullMarked
package org.saevhadoop.mapreduce.publish;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
