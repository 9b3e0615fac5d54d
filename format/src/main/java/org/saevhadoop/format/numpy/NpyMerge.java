package org.saevhadoop.format.numpy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.numpy.dataset.ArraysDocument;
import org.saevhadoop.format.numpy.dataset.ArraysTable;
import org.saevhadoop.format.numpy.dataset.MergedArrays;
import org.saevhadoop.format.spi.FileMerge;

/** Merges datasets of .npy files that this program has written. */
final class NpyMerge implements FileMerge {
  private record Documents(List<Source> sources, List<FormatException> conflicts)
      implements Survey {
    @Override
    public MergePlan plan(@Nullable TableDataset combined, Members members) throws IOException {
      return NpyMerge.plan(sources, combined);
    }
  }

  /** Checks the headers and lengths of all files, because merging reads no values. */
  @Override
  public Survey survey(List<Source> sources) throws IOException {
    List<FormatException> conflicts = new ArrayList<>();
    for (Source source : sources) {
      try {
        if (NpyFormat.isDocumented(source.location(), source.settings())) {
          ArraysTable.open(source.location(), List.of(), ProvenanceReader.NONE).checkFiles();
        }
      } catch (FormatException e) {
        conflicts.add(e);
      }
    }
    return new Documents(sources, conflicts);
  }

  private static MergePlan plan(List<Source> sources, @Nullable TableDataset combined)
      throws IOException {
    for (Source source : sources) {
      if (!NpyFormat.isDocumented(source.location(), source.settings())) {
        return MergePlan.rewriting(
            "%s has no %s that lists its files".formatted(source.path(), ArraysDocument.NAME));
      }
      if (!ArrayKeys.mappings(source.settings()).isEmpty()) {
        return MergePlan.rewriting("columns of %s are read as layers".formatted(source.path()));
      }
    }
    return combined == null
        ? MergePlan.rewriting("the sources must be staged")
        : MergedArrays.plan(sources.stream().map(Source::location).toList(), combined);
  }
}
