package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.saevhadoop.format.storage.LocalTree;

/**
 * Commits as S3A's magic committer does: files of tasks lie below the output folder, and appear in
 * it when the job commits, without a rename of the file system.
 */
public final class UploadingCommitter extends PathOutputCommitter {
  /** Creates the committers of a scheme. */
  public static final class Factory extends PathOutputCommitterFactory {
    @Override
    public PathOutputCommitter createOutputCommitter(Path output, TaskAttemptContext context)
        throws IOException {
      return new UploadingCommitter(output, context);
    }
  }

  private static final String PENDING = "__pending";

  private final Path output;
  private final TaskAttemptContext context;

  UploadingCommitter(Path output, TaskAttemptContext context) throws IOException {
    super(output, context);
    this.output = output;
    this.context = context;
  }

  private java.nio.file.Path local(String... names) {
    return java.nio.file.Path.of(output.toUri().getPath() + "/" + PENDING, names);
  }

  private static String name(TaskAttemptContext task) {
    return task.getTaskAttemptID().toString();
  }

  @Override
  public Path getOutputPath() {
    return output;
  }

  @Override
  public Path getWorkPath() {
    return new Path(output, PENDING + "/" + name(context));
  }

  @Override
  public void setupJob(JobContext job) throws IOException {
    Files.createDirectories(local("committed"));
  }

  @Override
  public void setupTask(TaskAttemptContext task) {
    // files make their folder
  }

  @Override
  public boolean needsTaskCommit(TaskAttemptContext task) {
    return Files.exists(local(name(task)));
  }

  @Override
  public void commitTask(TaskAttemptContext task) throws IOException {
    Files.move(
        local(name(task)),
        local("committed", task.getTaskAttemptID().getTaskID().toString()),
        StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void abortTask(TaskAttemptContext task) throws IOException {
    LocalTree.delete(local(name(task)));
  }

  @Override
  public void commitJob(JobContext job) throws IOException {
    try (DirectoryStream<java.nio.file.Path> tasks = Files.newDirectoryStream(local("committed"))) {
      for (java.nio.file.Path task : tasks) {
        try (DirectoryStream<java.nio.file.Path> files = Files.newDirectoryStream(task)) {
          for (java.nio.file.Path file : files) {
            Files.move(file, local().resolveSibling(file.getFileName()));
          }
        }
      }
    }
    LocalTree.delete(local());
  }

  @Override
  public void abortJob(JobContext job, JobStatus.State state) throws IOException {
    LocalTree.delete(local());
  }
}
