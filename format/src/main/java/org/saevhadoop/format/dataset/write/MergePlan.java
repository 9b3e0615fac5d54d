package org.saevhadoop.format.dataset.write;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.samples.Sidecar;

/**
 * How the files of several datasets become those of one.
 *
 * @param obstacle why files cannot stay as they are, so that examples must be written anew; null if
 *     they can
 * @param directory the folder of the dataset, relative to the path that the user names; empty for
 *     that path
 * @param files the data files and their companions, in the order of the examples
 * @param finisher the documents, which follow the files
 */
public record MergePlan(
    @Nullable String obstacle, String directory, List<CopiedFile> files, DatasetFinisher finisher) {
  public MergePlan {
    files = List.copyOf(files);
  }

  /** Returns a plan that copies files. */
  public static MergePlan of(List<CopiedFile> files, DatasetFinisher finisher) {
    return new MergePlan(null, "", files, finisher);
  }

  /** Returns the plan for files that cannot stay as they are. */
  public static MergePlan rewriting(String obstacle) {
    return new MergePlan(obstacle, "", List.of(), written -> List.of());
  }

  /** Returns the total length of the files in bytes. */
  public long bytes() {
    return files.stream().mapToLong(CopiedFile::length).sum();
  }

  /** Collects copies of data files, and of the sample metadata beside them. */
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
     * @param there the lengths of the files in the folder of its source
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
