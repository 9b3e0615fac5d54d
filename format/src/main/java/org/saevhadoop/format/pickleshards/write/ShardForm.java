package org.saevhadoop.format.pickleshards.write;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.gzip.BgzfOutput;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;

/**
 * Form of the shards to be written.
 *
 * @param gzip the compression; null for none
 * @param original whether arrays are written with the dtype in their metadata or, without metadata,
 *     as float32 if that is exact; otherwise the dtype of the dataset is used
 * @param numbered whether the id of each sample is the number of the example, regardless of its
 *     metadata
 */
public record ShardForm(
    Form dialect,
    int protocol,
    BgzfOutput.@Nullable Options gzip,
    boolean original,
    boolean numbered) {
  /**
   * The form that the specification defines, with a protocol that Python 3.4 and later can read.
   */
  public static final ShardForm DEFAULT =
      new ShardForm(Form.SPEC, 4, BgzfOutput.Options.DEFAULT, true);

  /** Creates a form that uses the ids in the sample metadata. */
  public ShardForm(
      Form dialect, int protocol, BgzfOutput.@Nullable Options gzip, boolean original) {
    this(dialect, protocol, gzip, original, false);
  }

  /**
   * Returns the name of file {@code index} as in the specification, with more than four digits from
   * 10,000 on.
   */
  String fileName(long index) {
    return "shard_%04d.pkl%s".formatted(index + 1, gzip == null ? "" : ".gz");
  }
}
