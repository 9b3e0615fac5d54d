/**
 * The service provider interface of dataset formats. The class to begin with is {@link
 * org.saevhadoop.format.spi.DatasetFormat}: commands, jobs and the committer use a format only
 * through it. Features that only some formats have are capabilities, interfaces that a format may
 * return. docs/architecture.md lists the capabilities and their users.
 *
 * <p>A conversion passes through the format that is written as follows: {@link
 * org.saevhadoop.format.spi.DatasetWriting#prepare} gets the {@link
 * org.saevhadoop.format.spi.ConversionSource} and returns a {@link
 * org.saevhadoop.format.spi.PreparedWrite}, once and before the job; {@link
 * org.saevhadoop.format.spi.DatasetWriting#write} gets the {@link
 * org.saevhadoop.format.spi.WriteContext} in the client and in each task.
 *
 * <p>No type in this package depends on Jackson.
 */
@NullMarked
package org.saevhadoop.format.spi;

import org.jspecify.annotations.NullMarked;
