package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.task.JobInput;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.jobs.task.WorkItem;
import org.saevhadoop.mapreduce.input.StoredBlocks;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.job.DigestKeys;
import org.saevhadoop.mapreduce.job.InputSpec;

/** Computes the SHA-256 of each file of a dataset in a map-only job, which reads each file once. */
public final class FileSums {
  /** The total size in bytes at which a task stops receiving files. */
  static final long SPLIT_BYTES = 128L << 20;

  private FileSums() {}

  /**
   * Runs the job and returns the sums in hexadecimal, by name.
   *
   * @param path the folder or the file
   */
  public static SortedMap<String, String> of(StoragePath path, JobRunner runner)
      throws IOException, InterruptedException {
    return runner.run(sums(path)).files();
  }

  /** Returns the job that {@link #of} runs. */
  public static DatasetJob<?> job(StoragePath path) throws IOException {
    return sums(path);
  }

  private static DatasetJob<DigestParts.Sums> sums(StoragePath path) throws IOException {
    JobInput files = new JobInput(() -> SummedFiles.class, null, null);
    return job(DatasetJob.step("sums", path), path, files, Settings.NONE)
        .collect(new DigestParts(0));
  }

  /**
   * Returns a job that also digests the blocks of each file in the same pass.
   *
   * @param columns the ids of the columns in the order of the digest
   * @param blocks the number of blocks in the dataset
   */
  static DatasetJob<DigestParts.Sums> withBlocks(
      OpenedSource source, InputSpec input, List<Integer> columns, long blocks) throws IOException {
    StoragePath path = source.request().source();
    JobInput files = new JobInput(() -> SummedFiles.class, input, source.whole());
    Settings settings =
        Settings.NONE.with(DigestKeys.LAYERS, columns).with(DigestKeys.BLOCKS, true);
    return job(DatasetJob.step("digest", path), path, files, settings)
        .collect(new DigestParts(blocks));
  }

  private static DatasetJob.Parts job(
      DatasetJob.Parts job, StoragePath path, JobInput input, Settings settings)
      throws IOException {
    Location location = path.locate();
    SortedMap<String, Long> files = files(location);
    return job.reading(input)
        .with(settings.with(DigestKeys.SUMMED, path.qualified()))
        .bytes(files.values().stream().mapToLong(Long::longValue).sum())
        .map(() -> SummedFiles.SumFile.class)
        .items(() -> items(files, location.folder(), input, settings));
  }

  /** Returns the lengths of all files of the folder, or of the one file and its sidecar. */
  static SortedMap<String, Long> files(Location dataset) throws IOException {
    SortedMap<String, Long> lengths = new TreeMap<>(dataset.files());
    if (dataset.isFile()) {
      String sidecar = Sidecar.name(dataset.file());
      Long length = dataset.folder().files().get(sidecar);
      if (length != null) {
        lengths.put(sidecar, length);
      }
    }
    return lengths;
  }

  /** Groups small files, as the input format of the Hadoop tasks does. */
  private static List<WorkItem> items(
      SortedMap<String, Long> files, Folder folder, JobInput input, Settings settings) {
    List<WorkItem> items = new ArrayList<>();
    List<String> names = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<String, Long> file : files.entrySet()) {
      names.add(file.getKey());
      bytes += file.getValue();
      if (bytes >= SPLIT_BYTES || file.getKey().equals(files.lastKey())) {
        items.add(new Files(List.copyOf(names), bytes, folder, input, settings));
        names.clear();
        bytes = 0;
      }
    }
    return items;
  }

  /** Files that a thread of this process reads. */
  private record Files(
      List<String> names, long bytes, Folder folder, JobInput input, Settings settings)
      implements WorkItem {
    private @Nullable StoredBlocks blocks() throws IOException {
      InputSpec spec = input.spec();
      return spec == null ? null : new StoredBlocks(input.part(), spec.dtypes());
    }

    @Override
    public ConversionChanges run(ByteMeter read, TaskOutput output)
        throws IOException, InterruptedException {
      HashedFiles hashed = HashedFiles.of(folder, read, blocks(), settings.get(DigestKeys.LAYERS));
      for (String name : names) {
        hashed.read(name, output);
      }
      return hashed.changes();
    }
  }
}
