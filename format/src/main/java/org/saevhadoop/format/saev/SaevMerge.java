package org.saevhadoop.format.saev;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.saev.directory.SaevDataset;
import org.saevhadoop.format.saev.directory.SaevWritePlan;
import org.saevhadoop.format.saev.metadata.MergedMetadata;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.spi.FileMerge;

/**
 * Merges SAEV shards. Because the offset of an example depends only on its number, only the very
 * last shard may be short.
 */
final class SaevMerge implements FileMerge {
  @Override
  public Survey survey(List<Source> sources) {
    return (combined, members) -> plan(sources, combined);
  }

  private static MergePlan plan(List<Source> sources, @Nullable TableDataset combined)
      throws IOException {
    List<SaevDataset> datasets = new ArrayList<>();
    for (Source source : sources) {
      datasets.add(SaevDataset.open(source.location().folder()));
    }
    Optional<String> obstacle = obstacle(sources, datasets);
    if (obstacle.isPresent() || combined == null) {
      return MergePlan.rewriting(obstacle.orElse("the sources must be staged"));
    }
    ActivationDataset all = combined.requireActivations();
    SaevMetadata metadata = SaevProvenance.metadata(all.activations().provenance()).orElseThrow();
    LabelSource labels = all.hasLabels() ? LabelSource.of(all, all.geometry()) : null;
    SaevWritePlan written = new SaevWritePlan(metadata, SaevWritePlan.Tail.FULL, labels);
    String directory =
        metadata.generation().liesInShardsFolder()
            ? SaevFormat.SHARDS_FOLDER + "/" + metadata.hash()
            : metadata.hash();
    return new MergePlan(
        null,
        directory,
        written.copies(datasets, all.sampleMetadata().isPresent()),
        written,
        List.of());
  }

  /** Returns the reason why the shards cannot be copied unchanged, if there is one. */
  private static Optional<String> obstacle(List<Source> sources, List<SaevDataset> datasets) {
    SaevMetadata first = datasets.get(0).metadata();
    for (int i = 0; i < datasets.size(); i++) {
      SaevMetadata metadata = datasets.get(i).metadata();
      String path = sources.get(i).path();
      Optional<String> difference = MergedMetadata.difference(first, metadata);
      if (difference.isPresent()) {
        return Optional.of(
            "%s differs from %s in the %s of %s"
                .formatted(path, sources.get(0).path(), difference.get(), SaevMetadata.FILE));
      }
      if (metadata.examplesPerShard() != first.examplesPerShard()) {
        return Optional.of(
            Quote.sentence(
                "%s has %d examples per shard, and %s has %d",
                path,
                metadata.examplesPerShard(),
                sources.get(0).path(),
                first.examplesPerShard()));
      }
      long rest = metadata.geometry().examples() % metadata.examplesPerShard();
      if (rest > 0 && i < datasets.size() - 1) {
        return Optional.of(
            Quote.sentence(
                "the last shard of %s has only %d of %d examples, and examples of %s follow",
                path, rest, metadata.examplesPerShard(), sources.get(i + 1).path()));
      }
    }
    return Optional.empty();
  }
}
