package org.saevhadoop.jobs.merge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.write.CopiedFile;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.StagedFiles;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.task.JobInput;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.jobs.task.WorkItem;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;

/** The map-only job that copies files of sources, and the job that compares the copies. */
record CopyJob(List<SourceRequest> sources, DatasetFormat format, JobRunner runner) {
  /**
   * Returns the job that copies files.
   *
   * @param folder the folder of the copies, which exists when the job runs
   * @param recorded records the job while it runs on YARN; null if the job is not run
   */
  DatasetJob<FinishedJob> copy(
      CopiedFiles files, StoragePath folder, @Nullable RunFolder recorded) {
    boolean forced = runner.shared(OutputKeys.SYNC).forces(folder.isLocal());
    return parts("merge", files, Settings.NONE, null)
        .recordedIn(recorded)
        .into(new StagedFiles(folder, runner.storage(folder), forced));
  }

  /** Returns the job that reads copies and sources again and compares them. */
  DatasetJob<Boolean> compare(CopiedFiles files, StoragePath folder) throws IOException {
    Settings compared = Settings.NONE.with(MergeKeys.COMPARED, folder.qualified());
    return parts("verify", files, compared, folder.folder()).collect(records -> true);
  }

  private DatasetJob.Parts parts(
      String step, CopiedFiles files, Settings settings, @Nullable Folder compared) {
    List<String> paths = new ArrayList<>();
    List<Folder> folders = new ArrayList<>();
    for (SourceRequest source : sources) {
      boolean isFile = source.location().isFile();
      paths.add((isFile ? source.source().folderAbove() : source.source()).qualified());
      folders.add(source.location().folder());
    }
    CopyFiles copy = new CopyFiles(folders, format.merging().orElseThrow(), compared);
    return DatasetJob.step(step, sources.get(0).source())
        .reading(new JobInput(() -> CopySplits.class, null, null))
        .with(
            settings
                .with(MergeKeys.SOURCES, paths)
                .with(MergeKeys.FILES, files)
                .with(ConversionKeys.WRITTEN, format.getClass().getName()))
        .bytes(files.bytes())
        .task(CopyFiles.Mapped.class)
        .items(() -> files.tasks().stream().map(task -> item(copy, files, task)).toList());
  }

  private static WorkItem item(CopyFiles copy, CopiedFiles files, CopiedFiles.TaskWork task) {
    List<CopiedFile> own = files.list().subList(task.first(), task.first() + task.count());
    return new Item(copy, own, task.bytes());
  }

  /** Files that a thread of this process copies. */
  private record Item(CopyFiles copy, List<CopiedFile> files, long bytes) implements WorkItem {
    @Override
    public ConversionChanges run(ByteMeter read, TaskOutput output)
        throws IOException, InterruptedException {
      copy.run(files, read::add, output);
      return ConversionChanges.NONE;
    }
  }
}
