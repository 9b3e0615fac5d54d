/**
 * Records and files of Hadoop jobs.
 *
 * <p>{@link org.saevhadoop.mapreduce.io.ActivationKey} and {@link
 * org.saevhadoop.mapreduce.io.ActivationWritable} are the key and the value of a record. A reader
 * returns the same two objects for every record; callers that keep a record must copy it.
 *
 * <p>{@link org.saevhadoop.mapreduce.io.HadoopStorage} and {@link
 * org.saevhadoop.mapreduce.io.HadoopFolder} implement the storage interfaces of {@link
 * org.saevhadoop.format.io} for Hadoop's file systems, and are the only way in which formats access
 * files.
 *
 * <p>{@link org.saevhadoop.format.storage.StoragePath} is a path that is read: on the local disk,
 * with Java alone, or in a Hadoop file system.
 *
 * <p>{@link org.saevhadoop.mapreduce.io.StorageTokens} obtains the delegation tokens with which the
 * tasks of a job access secured storage. Every InputFormat and OutputFormat calls it for the paths
 * that its tasks use, in {@code getSplits} and {@code checkOutputSpecs}, which Hadoop calls when
 * the job is submitted.
 *
 * <p>{@link org.saevhadoop.mapreduce.io.PathArgument} interprets the text of a path: paths from
 * users must reach neither {@code new Path(String)}, which interprets colons and {@code ..} in its
 * own way, nor {@code Configuration.get}, which expands variables.
 */
@NullMarked
package org.saevhadoop.mapreduce.io;

import org.jspecify.annotations.NullMarked;
