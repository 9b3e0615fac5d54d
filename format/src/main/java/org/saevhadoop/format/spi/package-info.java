/**
 * The service provider interface of dataset formats. Start with {@link
 * org.saevhadoop.format.spi.DatasetFormat}: commands, jobs and the committer use a format only
 * through it. Features that only some formats have are capabilities: optional interfaces for which
 * a format can return an implementation. docs/architecture.md lists the capabilities and their
 * users.
 *
 * <p>A conversion uses the target format as follows: {@link
 * org.saevhadoop.format.spi.DatasetWriting#prepare} is called once, before the job, with the {@link
 * org.saevhadoop.format.spi.ConversionSource}, and returns a {@link
 * org.saevhadoop.format.spi.PreparedWrite}; {@link org.saevhadoop.format.spi.DatasetWriting#write}
 * is called with the {@link org.saevhadoop.format.spi.WriteContext} in the client and in each task.
 *
 * <p>No type in this package depends on Jackson.
 */
@NullMarked
package org.saevhadoop.format.spi;

import org.jspecify.annotations.NullMarked;
