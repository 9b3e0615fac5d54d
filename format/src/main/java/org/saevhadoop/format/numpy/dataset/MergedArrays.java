package org.saevhadoop.format.numpy.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.CopiedFile;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.Location;

/** The parts of several datasets of .npy files as the parts of one dataset. */
public final class MergedArrays {
  private final List<Location> folders;
  private final List<ArraysDocument> documents = new ArrayList<>();
  private final TableDataset combined;
  private final boolean labels;
  private final List<String> tokens;

  private MergedArrays(List<Location> folders, TableDataset combined) throws IOException {
    this.folders = folders;
    this.combined = combined;
    for (Location folder : folders) {
      documents.add(ArraysDocument.read(folder.folder()));
    }
    if (combined instanceof ActivationDataset activations) {
      labels = activations.hasLabels();
      tokens = activations.tokenArrays().names();
    } else {
      labels = parts().stream().allMatch(part -> part.labels() != null);
      List<String> first = List.copyOf(parts().get(0).tokens().keySet());
      boolean alike =
          parts().stream().allMatch(part -> List.copyOf(part.tokens().keySet()).equals(first));
      tokens = alike ? first : List.of();
    }
  }

  /**
   * Returns the plan that copies the parts.
   *
   * @param folders the folders of the datasets, each with a document
   * @param combined the merged dataset
   */
  public static MergePlan plan(List<Location> folders, TableDataset combined) throws IOException {
    return new MergedArrays(folders, combined).plan();
  }

  private List<ArraysDocument.Part> parts() {
    return documents.stream().flatMap(document -> document.parts().stream()).toList();
  }

  private MergePlan plan() throws IOException {
    Optional<Location> other = ofOtherColumns();
    if (other.isPresent()) {
      return MergePlan.rewriting(
          "%s and %s have columns of different types"
              .formatted(other.get().path(), folders.get(0).path()));
    }
    if (combined instanceof ActivationDataset
        && !parts().stream().allMatch(part -> List.copyOf(part.tokens().keySet()).equals(tokens))) {
      return MergePlan.rewriting("the sources have different per-token integers");
    }
    MergePlan.Copies copies = new MergePlan.Copies(combined.sampleMetadata().isPresent());
    List<ArraysDocument.Part> merged = new ArrayList<>();
    long count = parts().size();
    for (int source = 0; source < documents.size(); source++) {
      SortedMap<String, Long> there = folders.get(source).files();
      int[] columns = columnsOf(documents.get(source));
      for (ArraysDocument.Part part : documents.get(source).parts()) {
        merged.add(new Renamed(source, part, columns, merged.size(), count, there).copy(copies));
      }
    }
    TableShape table = documents.get(0).table().withExamples(combined.table().examples());
    ArraysDocument document = new ArraysDocument(table, merged, provenance());
    return MergePlan.of(
        copies.list(), written -> List.of(new Document(ArraysDocument.NAME, document.text())));
  }

  private Provenance provenance() {
    return combined instanceof ActivationDataset activations
        ? activations.activations().provenance()
        : documents.get(0).provenance();
  }

  private Optional<Location> ofOtherColumns() {
    TableShape first = documents.get(0).table();
    for (int i = 1; i < documents.size(); i++) {
      TableShape other = documents.get(i).table();
      boolean same =
          new HashSet<>(other.columns()).equals(new HashSet<>(first.columns()))
              && new HashSet<>(other.columnIds()).equals(new HashSet<>(first.columnIds()));
      if (!same) {
        return Optional.of(folders.get(i));
      }
    }
    return Optional.empty();
  }

  /** For each column of the first source, returns its position in a document. */
  private int[] columnsOf(ArraysDocument document) {
    return documents.get(0).table().columns().stream()
        .mapToInt(document.table().columns()::indexOf)
        .toArray();
  }

  /** A part with the new names of its files. */
  private final class Renamed {
    private final int source;
    private final ArraysDocument.Part part;
    private final int[] columns;
    private final long index;
    private final long count;
    private final SortedMap<String, Long> there;

    Renamed(
        int source,
        ArraysDocument.Part part,
        int[] columns,
        long index,
        long count,
        SortedMap<String, Long> there) {
      this.source = source;
      this.part = part;
      this.columns = columns;
      this.index = index;
      this.count = count;
      this.there = there;
    }

    private CopiedFile file(String from, String array) {
      String to = NpyWritePlan.fileName(array, index, count);
      return new CopiedFile(source, from, to, there.getOrDefault(from, 0L));
    }

    /** Adds the files of the part; sample metadata is placed next to the first one. */
    ArraysDocument.Part copy(MergePlan.Copies copies) {
      List<String> files = new ArrayList<>();
      for (int i = 0; i < columns.length; i++) {
        CopiedFile file =
            file(part.files().get(columns[i]), documents.get(0).table().columns().get(i).name());
        copies.add(file);
        files.add(file.to());
      }
      copies.addSidecar(source, part.files().get(0), files.get(0), there);
      String labelled = null;
      if (labels) {
        labelled = added(copies, part.labels(), NpyWritePlan.LABELS);
      }
      Map<String, String> arrays = new LinkedHashMap<>();
      tokens.forEach(name -> arrays.put(name, added(copies, part.tokens().get(name), name)));
      return new ArraysDocument.Part(part.examples(), files, labelled, arrays);
    }

    private String added(MergePlan.Copies copies, @Nullable String from, String array) {
      CopiedFile file = file(Objects.requireNonNull(from), array);
      copies.add(file);
      return file.to();
    }
  }
}
