/**
 * SAEV shards, the format of the {@code saev} project: a directory, named by the hash of its
 * metadata, with {@code metadata.json}, {@code shards.json} (since protocol 1.0.0) and raw files
 * {@code acts000000.bin}, {@code acts000001.bin}, ... of shape {@code [S, layer, token, dim]} in
 * little-endian float32.
 *
 * <p>The entry point for reading is {@link org.saevhadoop.format.saev.directory.SaevDataset}, which
 * opens a directory and reports its faults. The entry point for writing is {@link
 * org.saevhadoop.format.saev.directory.SaevWritePlan}, which determines the files to be written.
 * {@link org.saevhadoop.format.saev.directory.SaevCheck} reports all problems of a directory. The
 * package {@code org.saevhadoop.format.saev.metadata} contains {@link
 * org.saevhadoop.format.saev.metadata.SaevMetadata}, which determines the generation of the
 * protocol, the shape, S and the hash.
 *
 * <p>All generations of the protocol that were ever written can be read. A dataset is opened only
 * if every value can be read at the location that metadata.json implies; missing, short and
 * unfinished shards are errors, and a directory that the saev project's readers would reject is
 * reported as a problem.
 *
 * <p>{@code docs/saev.md} lists the rules and their sources: the protocol specifications and the
 * commits of the saev project.
 */
@Internal
@NullMarked
package org.saevhadoop.format.saev.directory;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
