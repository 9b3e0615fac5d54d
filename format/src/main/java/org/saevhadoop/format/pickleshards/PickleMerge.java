package org.saevhadoop.format.pickleshards;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.directory.MergedShards;
import org.saevhadoop.format.pickleshards.directory.ShardDirectory;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.pickleshards.shard.ShardStart;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.spi.FileMerge;

/** Merges the pickled shards of several machines, which get numbers of their own. */
final class PickleMerge implements FileMerge {
  /** The first vectors of a directory; all samples of a dataset have their type and width. */
  private record FirstVectors(String path, String type, long width) {
    static Optional<FirstVectors> of(ShardDirectory directory) throws IOException {
      if (directory.shards().isEmpty()) {
        return Optional.empty();
      }
      Optional<PythonValue.NumpyArray> first =
          ShardStart.firstArray(directory.shards().get(0).open());
      return first
          .filter(array -> array.unread() == null && array.objects() == null)
          .filter(array -> array.shape().length > 0 && array.type().dtype() != null)
          .map(array -> of(directory.folder().path(), array));
    }

    private static FirstVectors of(String path, PythonValue.NumpyArray array) {
      long[] shape = array.shape();
      return new FirstVectors(path, String.valueOf(array.type().dtype()), shape[shape.length - 1]);
    }
  }

  @Override
  public List<FormatException> conflicts(List<Source> sources) throws IOException {
    List<FormatException> conflicts = new ArrayList<>();
    List<ShardFiles> files = new ArrayList<>();
    List<FirstVectors> vectors = new ArrayList<>();
    for (Source source : sources) {
      try {
        ShardFiles found = ShardFiles.at(source.location());
        MergedShards.conflicts(List.of(found)); // that its documents can be read
        vectors.addAll(vectors(List.of(found)));
        files.add(found);
      } catch (FormatException e) {
        conflicts.add(e);
      }
    }
    conflicts.addAll(MergedShards.conflicts(files));
    for (FirstVectors each : vectors) {
      FirstVectors first = vectors.get(0);
      if (each.width != first.width) {
        conflicts.add(
            ShardError.MIXED_SHAPES.in(
                each.path,
                "has vectors of width %d (expected %d, as in %s)",
                each.width,
                first.width,
                first.path));
      }
    }
    return conflicts;
  }

  private static List<FirstVectors> vectors(List<ShardFiles> files) throws IOException {
    List<FirstVectors> vectors = new ArrayList<>();
    for (ShardFiles each : files) {
      for (ShardDirectory directory : each.directories()) {
        FirstVectors.of(directory).ifPresent(vectors::add);
      }
    }
    return vectors;
  }

  /** {@inheritDoc} How the sources combine is not known before the shards are read. */
  @Override
  public MergePlan plan(List<Source> sources, @Nullable TableDataset combined) throws IOException {
    List<ShardFiles> files = new ArrayList<>();
    for (Source source : sources) {
      for (SettingKey<?> key : PickleKeys.READING) {
        if (source.settings().isSet(key)) {
          return MergePlan.rewriting(
              "%s is read with %s".formatted(source.path(), source.settings().nameOf(key)));
        }
      }
      files.add(ShardFiles.at(source.location()));
    }
    List<FirstVectors> vectors = vectors(files);
    for (FirstVectors each : vectors) {
      if (!each.type.equals(vectors.get(0).type)) {
        return MergePlan.rewriting(
            "%s has vectors of %s, and %s of %s"
                .formatted(each.path, each.type, vectors.get(0).path, vectors.get(0).type));
      }
    }
    return MergedShards.plan(files);
  }
}
