package org.saevhadoop.mapreduce;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.activations.Ragged;
import org.saevhadoop.format.activations.UnpackOptions;
import org.saevhadoop.format.io.Folder;

/** What a configuration says of pickled shards. */
public final class PickleInput {
  private enum Ids {
    DATASET,
    DIRECTORY
  }

  private enum Incomplete {
    ERROR,
    DROP
  }

  private PickleInput() {}

  /** How samples become examples. */
  public static UnpackOptions options(Configuration conf) {
    return new UnpackOptions(
        Ragged.parse(SaevConf.INPUT_RAGGED.get(conf)),
        SaevConf.INPUT_SAMPLE_IDS.getEnum(conf, Ids.class) == Ids.DIRECTORY,
        SaevConf.INPUT_INCOMPLETE.getEnum(conf, Incomplete.class) == Incomplete.DROP,
        Boolean.parseBoolean(SaevConf.INPUT_JOIN_HALVES.get(conf)));
  }

  /** The folder of the shards at a path: of a directory itself, of one file the one it lies in. */
  public static Folder folder(Path path, Configuration conf) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    Path qualified = fs.makeQualified(path);
    boolean file = fs.getFileStatus(qualified).isFile();
    return HadoopFolder.of(file ? qualified.getParent() : qualified, conf);
  }
}
