/**
 * The arrays of a container, which is one SDNB file, a set of shards, or an SDZ file. Start with
 * {@link org.saevhadoop.format.samediff.container.SameDiffContainer}, which opens a container and
 * reads its values ({@link org.saevhadoop.format.gather}).
 *
 * <p>{@link org.saevhadoop.format.samediff.container.ContainerFiles} finds the files of a container
 * at a location. Each SDNB file, or entry of an SDZ file, is a {@link
 * org.saevhadoop.format.samediff.container.ContainerPart}; if there are several, the first one is
 * the graph, which lists all variables. Parts that are not compressed are read in place. Compressed
 * parts are read forward ({@code InflatedInput}), which suffices for the descriptions of arrays; to
 * read values in any order, such parts are inflated first ({@link org.saevhadoop.format.inflated}).
 * Arrays in f order appear in c order. A {@link
 * org.saevhadoop.format.samediff.container.ContainerFolder} shows each container as one file. SDZ
 * archives ({@link org.saevhadoop.format.samediff.container.SdzFile}) are read and written by
 * {@link org.saevhadoop.format.zip}.
 *
 * <p>Guarantees: opening a container reads no values. A container that is not complete and
 * consistent is an error: stale shards next to a single file, missing shards, and shards that
 * contradict the graph are detected, whereas the real loaders choose one file or continue without
 * the arrays concerned. No file is created under the name of an entry. A check verifies the CRC-32
 * of entries; reading in place does so only for entries that are read as a whole ({@code
 * CheckedInput}). An array that cannot be read, such as a UTF8 array, does not prevent others from
 * being read.
 *
 * <p>Sources: SameDiffSerializer (names and contents of shards) and SDZSerializer (names of
 * entries) of deeplearning4j, commit 0db14318; the additional checks are rules of this project.
 */
@Internal
@NullMarked
package org.saevhadoop.format.samediff.container;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
