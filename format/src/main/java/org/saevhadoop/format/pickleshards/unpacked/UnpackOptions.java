package org.saevhadoop.format.pickleshards.unpacked;

import org.saevhadoop.format.dataset.RaggedPolicy;

/**
 * Options for the conversion of samples to examples.
 *
 * @param idsPerDirectory whether sample ids are unique only within a directory, so that equal
 *     {@code sample_idx} values in different directories denote different samples
 * @param dropIncomplete whether samples that lack a layer are dropped rather than reported as an
 *     error
 * @param joinHalves whether the shards of {@code host_2k} and {@code host_2k+1} contain halves of
 *     the same vectors, as in the output of some runs
 */
public record UnpackOptions(
    RaggedPolicy ragged, boolean idsPerDirectory, boolean dropIncomplete, boolean joinHalves) {
  /** Options that neither change nor drop samples. */
  public static final UnpackOptions STRICT =
      new UnpackOptions(RaggedPolicy.ERROR, false, false, false);
}
