/**
 * The service provider interface of dataset formats. The class to begin with is {@link
 * org.saevhadoop.mapreduce.spi.DatasetFormat}: commands, jobs and the committer use a format only
 * through it. Features that only some formats have are capabilities, interfaces that a format may
 * return. docs/architecture.md lists the capabilities and what uses them.
 *
 * <p>A conversion passes through the format that is written as follows: {@link
 * org.saevhadoop.mapreduce.spi.DatasetWriting#prepare} gets the {@link
 * org.saevhadoop.mapreduce.spi.ConversionSource} and returns a {@link
 * org.saevhadoop.mapreduce.spi.PreparedWrite}, once and before the job; {@link
 * org.saevhadoop.mapreduce.spi.DatasetWriting#write} gets the {@link
 * org.saevhadoop.mapreduce.spi.WriteContext} in the client and in each task.
 *
 * <p>No type in this package depends on Hadoop or Jackson.
 */
@NullMarked
package org.saevhadoop.mapreduce.spi;

import org.jspecify.annotations.NullMarked;
