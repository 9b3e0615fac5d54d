/**
 * SameDiff containers (SDNB files, their shards, and SDZ archives) and datasets in such containers.
 * {@link org.saevhadoop.format.samediff.SameDiffFormat} is the format object, and {@link
 * org.saevhadoop.format.samediff.SameDiffKeys} has its writing keys.
 *
 * <ul>
 *   <li>{@link org.saevhadoop.format.samediff.sdnb}: single SDNB files. Start with {@link
 *       org.saevhadoop.format.samediff.sdnb.SdnbFile} for reading and {@link
 *       org.saevhadoop.format.samediff.sdnb.SdnbLayout} for writing.
 *   <li>{@link org.saevhadoop.format.samediff.container}: all arrays of a container, across all of
 *       its files. Start with {@link org.saevhadoop.format.samediff.container.SameDiffContainer}.
 *   <li>{@link org.saevhadoop.format.samediff.dataset}: examples in arrays. Start with {@link
 *       org.saevhadoop.format.samediff.dataset.SameDiffTable} for reading, and {@link
 *       org.saevhadoop.format.samediff.dataset.SdnbWritePlan} or {@link
 *       org.saevhadoop.format.samediff.dataset.SdzWritePlan} for writing.
 * </ul>
 *
 * <ul>
 *   <li>A location is a folder with one container, an SDNB file, any shard of a container, or an
 *       SDZ file. Any container can be inspected, and its arrays can be read one by one; a
 *       container whose arrays are examples can be converted.
 *   <li>SDZ files with deflated entries are streams; staging inflates them. Other containers are
 *       read in place.
 *   <li>Values are written in their stored types. Types that SameDiff lacks are refused before the
 *       job starts, as are files that the real loaders would refuse.
 *   <li>A check covers each file, the files as a set, the CRC-32 of SDZ entries and the sample
 *       metadata. Arrays that are not examples, as in most models, are not a problem.
 * </ul>
 *
 * <p>Only arrays are read. The other parts of a model, such as operations, are reported and left
 * out.
 *
 * <p>In all of these packages, "the real loaders" are the Java and C++ loaders of deeplearning4j,
 * master 0db14318; "files of 2025" were written by the first versions of its serializers.
 * docs/samediff.md lists the rules with their sources, and the differences between ADR 0035 and the
 * code.
 */
@Internal
@NullMarked
package org.saevhadoop.format.samediff;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
