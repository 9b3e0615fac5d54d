package org.saevhadoop.format.combined;

import java.io.IOException;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.io.Input;

/** The data files of a combined dataset. Only the arrangement interprets their names. */
interface Arrangement {
  Shards shards();

  /** Returns the path of the stored file to name in messages about a shard. */
  String path(String name);

  Input open(String name) throws IOException;

  BlockOffsets placement(int shard, Input file) throws IOException;

  /** Returns whether the blocks of a shard are stored column by column. */
  boolean isByColumn(int shard);

  /** Returns the path of the stored file that contains a block. */
  String blockPath(long example, int column) throws IOException;

  /** Returns the number of an example in its source. */
  long sourceExample(long example);
}
