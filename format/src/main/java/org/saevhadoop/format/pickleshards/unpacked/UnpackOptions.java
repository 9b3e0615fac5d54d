package org.saevhadoop.format.pickleshards.unpacked;

/**
 * How the samples of a dataset become examples.
 *
 * @param ragged what becomes of different lengths
 * @param idsPerDirectory whether each directory counts its own samples, so that a {@code
 *     sample_idx} of another one is another sample
 * @param dropIncomplete whether samples that lack a layer are left out, instead of being an error
 * @param joinHalves whether the shards of {@code host_2k} and {@code host_2k+1} hold halves of the
 *     same vectors, as some runs left them
 */
public record UnpackOptions(
    RaggedPolicy ragged, boolean idsPerDirectory, boolean dropIncomplete, boolean joinHalves) {
  /** Nothing is changed or left out. */
  public static final UnpackOptions STRICT =
      new UnpackOptions(RaggedPolicy.ERROR, false, false, false);
}
