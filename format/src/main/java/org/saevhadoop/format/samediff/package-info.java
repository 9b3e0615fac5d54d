/**
 * SameDiff containers: SDNB files, shards of them, and SDZ archives, and datasets in such
 * containers.
 *
 * <ul>
 *   <li>{@link org.saevhadoop.format.samediff.sdnb}: single SDNB files. Start with {@link
 *       org.saevhadoop.format.samediff.sdnb.SdnbFile} for reading and {@link
 *       org.saevhadoop.format.samediff.sdnb.SdnbLayout} for writing.
 *   <li>{@link org.saevhadoop.format.samediff.container}: all arrays of a container, whatever its
 *       files. Start with {@link org.saevhadoop.format.samediff.container.SameDiffContainer}.
 *   <li>{@link org.saevhadoop.format.samediff.dataset}: examples in arrays. Start with {@link
 *       org.saevhadoop.format.samediff.dataset.SameDiffTable} for reading, and {@link
 *       org.saevhadoop.format.samediff.dataset.SdnbWritePlan} or {@link
 *       org.saevhadoop.format.samediff.dataset.SdzWritePlan} for writing.
 * </ul>
 *
 * <p>Only arrays are read. The other parts of a model, such as operations, are reported and left
 * out.
 *
 * <p>In all of these packages, "the real loaders" are those of deeplearning4j, master 0db14318, in
 * Java and C++; "files of 2025" were written by the first versions of its serializers.
 * docs/samediff.md lists the rules with their sources, and where ADR 0035 differs from the code.
 */
@NullMarked
package org.saevhadoop.format.samediff;

import org.jspecify.annotations.NullMarked;
