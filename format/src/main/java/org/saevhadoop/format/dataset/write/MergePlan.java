package org.saevhadoop.format.dataset.write;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.samples.Sidecar;

/**
 * A plan for making the files of one dataset from the files of several datasets.
 *
 * @param obstacle the reason why examples must be rewritten; null if files can be copied unchanged
 * @param directory the folder of the dataset, relative to the path that the user names; empty for
 *     that path
 * @param files the data files and their companions, in the order of the examples
 * @param finisher the finisher, which writes the documents after the files
 * @param losses the source data that the merged dataset does not keep
 */
public record MergePlan(
    @Nullable String obstacle,
    String directory,
    List<CopiedFile> files,
    DatasetFinisher finisher,
    List<String> losses) {
  public MergePlan {
    losses = List.copyOf(losses);
    files = List.copyOf(files);
  }

  /** Returns a plan that copies files. */
  public static MergePlan of(List<CopiedFile> files, DatasetFinisher finisher) {
    return new MergePlan(null, "", files, finisher, List.of());
  }

  /** Returns the plan for files that cannot be copied unchanged. */
  public static MergePlan rewriting(String obstacle) {
    return new MergePlan(obstacle, "", List.of(), written -> List.of(), List.of());
  }

  /** Returns this plan with the given losses. */
  public MergePlan losing(List<String> more) {
    return new MergePlan(obstacle, directory, files, finisher, more);
  }

  /** Returns this plan with documents of another finisher. */
  public MergePlan with(DatasetFinisher other) {
    return new MergePlan(obstacle, directory, files, other, losses);
  }

  /** Returns the total length of the files in bytes. */
  public long bytes() {
    return files.stream().mapToLong(CopiedFile::length).sum();
  }

  /**
   * Returns a loss if the provenance documents of the sources differ, because each document
   * describes only its source.
   */
  public static List<String> differing(Stream<Provenance> sources) {
    List<Provenance> all = sources.toList();
    SortedSet<String> names = new TreeSet<>();
    all.forEach(each -> names.addAll(each.documents().keySet()));
    return all.stream().distinct().count() <= 1
        ? List.of()
        : List.of(
            ("the documents %s of the sources differ and are left out, with all that only they"
                    + " record, such as whether token 0 is [CLS]")
                .formatted(names));
  }

  /** Collects copies of data files and their sample metadata. */
  public static final class Copies {
    private final boolean samples;
    private final List<CopiedFile> files = new ArrayList<>();

    /**
     * @param samples whether sample metadata is copied
     */
    public Copies(boolean samples) {
      this.samples = samples;
    }

    /**
     * Adds a data file.
     *
     * @param there the lengths of the files in the folder of the source
     */
    public void add(CopiedFile data, SortedMap<String, Long> there) {
      addSidecar(data.source(), data.from(), data.to(), there);
      add(data);
    }

    /** Adds the sample metadata of a data file, if it has any. */
    public void addSidecar(int source, String from, String to, SortedMap<String, Long> there) {
      String sidecar = Sidecar.name(from);
      Long bytes = samples ? there.get(sidecar) : null;
      if (bytes != null) {
        add(new CopiedFile(source, sidecar, Sidecar.name(to), bytes));
      }
    }

    /** Adds a file that has no sample metadata. */
    public void add(CopiedFile file) {
      files.add(file);
    }

    /** Returns the files in the order in which they were added. */
    public List<CopiedFile> list() {
      return files;
    }
  }
}
