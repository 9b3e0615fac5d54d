package org.saevhadoop.format.pickleshards;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickleshards.directory.MergedShards;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.spi.FileMerge;

/** Merges the pickled shards of several machines, which get numbers of their own. */
final class PickleMerge implements FileMerge {
  @Override
  public List<FormatException> conflicts(List<Source> sources) throws IOException {
    return MergedShards.conflicts(files(sources));
  }

  /** {@inheritDoc} What is combined is not known before the shards were read. */
  @Override
  public MergePlan plan(List<Source> sources, @Nullable TableDataset combined) throws IOException {
    for (Source source : sources) {
      for (SettingKey<?> key : PickleKeys.READING) {
        if (source.settings().isSet(key)) {
          return MergePlan.rewriting(
              "%s is read with %s".formatted(source.path(), source.settings().nameOf(key)));
        }
      }
    }
    return MergedShards.plan(files(sources));
  }

  private static List<ShardFiles> files(List<Source> sources) throws IOException {
    List<ShardFiles> files = new ArrayList<>();
    for (Source source : sources) {
      files.add(ShardFiles.at(source.location()));
    }
    return files;
  }
}
