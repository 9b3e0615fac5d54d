package org.saevhadoop.format.pickleshards;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ManifestClaims;
import org.saevhadoop.format.pickleshards.directory.MergedShards;
import org.saevhadoop.format.pickleshards.directory.ShardDirectory;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.pickleshards.shard.ShardStart;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.FileMerge;

/** Merges the pickled shards of several machines and renumbers the shards. */
final class PickleMerge implements FileMerge {
  /**
   * The type and width of the first vectors of a directory, which must be the same for all samples
   * of a dataset.
   */
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

  /**
   * The directories that were read.
   *
   * @param failures the reasons why the other directories cannot be read
   */
  private record Surveyed(
      List<Source> sources,
      MergedShards shards,
      List<FirstVectors> vectors,
      List<FormatException> failures)
      implements Survey {
    @Override
    public List<FormatException> conflicts() {
      List<FormatException> conflicts = new ArrayList<>(failures);
      conflicts.addAll(shards.conflicts());
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

    /** {@inheritDoc} The combined dataset is unknown until all shards have been read. */
    @Override
    public MergePlan plan(@Nullable TableDataset combined, Members members) {
      for (Source source : sources) {
        for (SettingKey<?> key : PickleKeys.READING) {
          if (source.settings().isSet(key)) {
            return MergePlan.rewriting(
                "%s is read with %s".formatted(source.path(), source.settings().nameOf(key)));
          }
        }
      }
      for (FirstVectors each : vectors) {
        if (!each.type.equals(vectors.get(0).type)) {
          return MergePlan.rewriting(
              "%s has vectors of %s, and %s of %s"
                  .formatted(each.path, each.type, vectors.get(0).path, vectors.get(0).type));
        }
      }
      return shards.plan();
    }
  }

  @Override
  public Survey survey(List<Source> sources) throws IOException {
    MergedShards shards = new MergedShards();
    List<FirstVectors> vectors = new ArrayList<>();
    List<FormatException> failures = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      try {
        ShardFiles files = ShardFiles.at(sources.get(i).location());
        ManifestClaims claims = ManifestClaims.of(files);
        vectors.addAll(vectors(files));
        shards.add(i, files, claims);
      } catch (FormatException e) {
        failures.add(e);
      }
    }
    return new Surveyed(sources, shards, vectors, failures);
  }

  /** Returns the dialect of the sources if they all have the same dialect. */
  @Override
  public Settings writing(List<Source> sources) throws IOException {
    Set<Form> forms = EnumSet.noneOf(Form.class);
    for (Source source : sources) {
      for (ShardDirectory directory : ShardFiles.at(source.location()).directories()) {
        form(directory).ifPresent(forms::add);
      }
    }
    return forms.size() == 1
        ? Settings.NONE.with(PickleKeys.DIALECT, forms.iterator().next())
        : Settings.NONE;
  }

  /**
   * Returns the dialect of a directory, which is inferred from the layer keys if there is no
   * manifest.
   */
  private static Optional<Form> form(ShardDirectory directory) throws IOException {
    Optional<ActivationManifest> manifest = directory.manifest();
    if (manifest.isPresent() || directory.shards().isEmpty()) {
      return manifest.map(ActivationManifest::form);
    }
    return ShardStart.firstLayerKey(directory.shards().get(0).open())
        .map(key -> key instanceof String ? Form.SPEC : Form.REAL);
  }

  private static List<FirstVectors> vectors(ShardFiles files) throws IOException {
    List<FirstVectors> vectors = new ArrayList<>();
    for (ShardDirectory directory : files.directories()) {
      FirstVectors.of(directory).ifPresent(vectors::add);
    }
    return vectors;
  }
}
