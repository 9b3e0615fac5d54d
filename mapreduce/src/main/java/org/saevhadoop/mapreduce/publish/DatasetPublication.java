package org.saevhadoop.mapreduce.publish;

import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.spi.FormatRegistry;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.job.OutputSpec;
import org.saevhadoop.mapreduce.publish.run.DirectOutput;
import org.saevhadoop.mapreduce.publish.run.Replacement;
import org.saevhadoop.mapreduce.publish.run.RunFolder;
import org.saevhadoop.mapreduce.publish.run.RunPaths;
import org.saevhadoop.mapreduce.publish.storage.RunStorage;
import org.saevhadoop.mapreduce.publish.storage.RunStorage.EntryKind;

/**
 * Moves a complete dataset to the path at which it is published. On a local disk, each step is
 * forced to the disk before the next one, so that after a power failure the path contains the old
 * dataset or the new one; only between the two renames of a replacement the old one is in the run's
 * folder, from which the next run puts it back. A dataset that was written at its path, or whose
 * files are moved there one by one, is published by the removal of its marker.
 *
 * @param folder the run's folder, which has the {@link CompleteMark}, and to which a replaced
 *     dataset is moved
 * @param written the folder in which it was written
 * @param destination the path at which it is published
 * @param replace whether an existing dataset there may be replaced
 * @param formats all formats, to recognize a dataset that is replaced
 */
public record DatasetPublication(
    Path folder, Path written, Path destination, boolean replace, FormatRegistry formats) {
  /**
   * Returns the publication of a dataset.
   *
   * @param output the output of the job that has written it
   * @param folder the folder of a run
   * @param written the folder in which the job has written it
   */
  public static DatasetPublication of(
      OutputSpec output, Path folder, Path written, FormatRegistry formats, Configuration conf)
      throws IOException {
    Path destination = PathArgument.parse(output.publish(), conf);
    return new DatasetPublication(folder, written, destination, output.replace(), formats);
  }

  /**
   * Publishes the dataset. May be repeated if it was interrupted: a dataset that has left its
   * folder is at the path.
   *
   * @throws FormatException if something is at the path that must not be replaced
   */
  public void run(Configuration conf) throws IOException {
    RunStorage storage = RunStorage.of(destination, conf);
    if (written.equals(destination)) {
      CompleteMark.check(folder, destination, formats, conf);
      synchronized (RunFolder.class) {
        DirectOutput.publish(storage, destination);
      }
      return;
    }
    // a run that is ended by a signal removes its folder only before or after publication
    synchronized (RunFolder.class) {
      Replacement replacement = new Replacement(storage, folder, written, destination);
      replacement.undoByFiles(); // of an earlier attempt
      if (storage.kind(written) == EntryKind.ABSENT) {
        checkPublished(storage, conf);
      } else {
        CompleteMark.check(folder, written, formats, conf);
        storage.force(written);
        move(storage, replacement, conf);
      }
      storage.force(destination.getParent());
      storage.force(folder);
      storage.delete(RunPaths.replaced(folder));
    }
  }

  private void checkPublished(RunStorage storage, Configuration conf) throws IOException {
    FileError.NOT_FOUND.check(
        storage.kind(destination) != EntryKind.ABSENT,
        HadoopStorage.show(destination),
        "was removed while it was being published (expected a dataset)");
    CompleteMark.check(folder, destination, formats, conf);
  }

  private void move(RunStorage storage, Replacement replacement, Configuration conf)
      throws IOException {
    boolean isFree = storage.kind(destination) == EntryKind.ABSENT;
    Set<String> old = Set.of();
    if (!isFree) {
      checkFree(destination, replace, conf);
      old = ReplaceableDataset.check(destination, formats, conf);
    }
    if (!storage.hasFolders()) {
      replacement.runByFiles(old);
    } else if (isFree) {
      storage.rename(written, destination);
    } else {
      storage.force(folder);
      storage.force(destination.getParent());
      replacement.run(old);
    }
  }

  /**
   * Checks that nothing is at a path, unless it may be replaced. A broken symbolic link is
   * something too.
   *
   * @throws FormatException if something is there, or if that cannot be determined
   */
  public static void checkFree(Path destination, boolean replace, Configuration conf)
      throws IOException {
    EntryKind kind = RunStorage.of(destination, conf).kind(destination);
    FileError.ALREADY_EXISTS.check(
        replace || kind == EntryKind.ABSENT,
        HadoopStorage.show(destination),
        "already exists (expected a new path, or --overwrite)");
  }

  /**
   * Checks that nothing is at the path of a dataset that an interrupted run was to publish, which
   * has left nothing, unless it may be replaced.
   *
   * @throws FormatException if something is there, or if that cannot be determined
   */
  public static void checkResumable(Path destination, boolean replace, Configuration conf)
      throws IOException {
    EntryKind kind = RunStorage.of(destination, conf).kind(destination);
    FileError.ALREADY_EXISTS.check(
        replace || kind == EntryKind.ABSENT,
        HadoopStorage.show(destination),
        "exists and was not written by an interrupted run (expected --overwrite)");
  }
}
