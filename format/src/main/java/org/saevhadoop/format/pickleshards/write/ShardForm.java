package org.saevhadoop.format.pickleshards.write;

import org.saevhadoop.format.gzip.BgzfOutput;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;

/**
 * How shards are written.
 *
 * @param dialect whose keys and whose metadata.json
 * @param protocol of the pickles: 2, 4 or 5
 * @param gzip how they are compressed; null where they are not
 * @param original whether arrays get the type that their attributes tell, and float32 where there
 *     are none and it holds the numbers exactly; else the type of the dataset
 */
public record ShardForm(Form dialect, int protocol, BgzfOutput.Options gzip, boolean original) {
  /** What the specification says, and what every Python 3 reads. */
  public static final ShardForm DEFAULT =
      new ShardForm(Form.SPEC, 4, BgzfOutput.Options.DEFAULT, true);

  ShardPickler.Dialect keys() {
    return dialect == Form.SPEC ? ShardPickler.Dialect.SPECIFICATION : ShardPickler.Dialect.REAL;
  }

  /** The name of file {@code index}: the specification's, with more digits from 10 000 on. */
  String fileName(long index) {
    return "shard_%04d.pkl%s".formatted(index + 1, gzip == null ? "" : ".gz");
  }
}
