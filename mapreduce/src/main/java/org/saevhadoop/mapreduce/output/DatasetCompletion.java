package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.ShardSinks;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.SpoolFolder;
import org.saevhadoop.mapreduce.job.OutputSpec;
import org.saevhadoop.mapreduce.publish.CompleteMark;
import org.saevhadoop.mapreduce.publish.DatasetPublication;
import org.saevhadoop.mapreduce.publish.run.Leftovers;
import org.saevhadoop.mapreduce.publish.run.RunFolder;
import org.saevhadoop.mapreduce.publish.run.RunPaths;
import org.saevhadoop.mapreduce.publish.run.RunRecord;

/**
 * Makes a dataset of the files of a job whose tasks are all committed. In the folder of a run, each
 * step may be repeated after an interruption: the application master may die at any time, and the
 * next one begins again.
 */
record DatasetCompletion(
    OutputLocation location, ActivationOutputFormat format, Configuration conf) {
  private OutputSpec spec() {
    return location.spec();
  }

  private Path output() {
    return location.data();
  }

  private Path path(String name) {
    return PathArgument.child(output(), name);
  }

  /** Returns whether the files are a dataset already, which an earlier attempt has completed. */
  boolean isDone() throws IOException {
    return location.isRun() && RunFolder.isComplete(location.ownRun(), conf);
  }

  /**
   * Checks the files, writes the documents and publishes the dataset.
   *
   * @throws FormatException if a file is missing or has another length than planned
   */
  void run() throws IOException {
    if (!isDone()) {
      complete();
    }
    publish();
  }

  private void complete() throws IOException {
    DatasetWrite write = format.write(conf);
    Folder folder = HadoopFolder.of(output(), spec()::isForced, spec().isCompared(), conf);
    FileSystem fs = output().getFileSystem(conf);
    if (write.plan().table().examples() == 0) {
      writeEmptyFiles(write, folder, fs);
    }
    try {
      checkComplete(folder, write.plan());
    } catch (FormatException e) {
      if (!location.isRun()) {
        deleteFiles(fs, write);
      }
      throw e;
    }
    for (Document document : write.finisher().documents(folder)) {
      write(fs, folder, document);
    }
    if (location.isRun()) {
      CompleteMark.write(location.ownRun(), output(), write.finisher().workFiles(), conf);
    }
    deleteWorkFiles(fs, write);
  }

  /** Writes the files of a dataset without examples, which has no records and therefore no task. */
  private void writeEmptyFiles(DatasetWrite write, Folder folder, FileSystem fs)
      throws IOException {
    try (ShardSinks sinks = write.sinks()) {
      for (long i = 0; i < write.plan().shardCount(); i++) {
        for (ShardPlan file : write.plan().files(i)) {
          fs.delete(path(file.name()), false);
        }
        sinks.open(i, false, folder, SpoolFolder.of(conf)).close();
      }
    }
    folder.awaitForced();
  }

  private static void checkComplete(Folder folder, WritePlan files) throws IOException {
    SortedMap<String, Long> found = folder.files();
    for (long i = 0; i < files.shardCount(); i++) {
      for (ShardPlan file : files.files(i)) {
        checkComplete(folder, file, found.get(file.name()));
      }
    }
  }

  private static void checkComplete(Folder folder, ShardPlan file, @Nullable Long length)
      throws FormatException {
    DatasetError.INCOMPLETE.check(
        length != null,
        folder.path(file.name()),
        "was not written (expected examples %d to %d in it)",
        file.first(),
        file.first() + file.examples() - 1);
    DatasetError.INCOMPLETE.check(
        length != null && CommittedFiles.isWhole(file, length),
        folder.path(file.name()),
        "has %d bytes (expected %s)",
        length,
        file.length() == ShardPlan.UNKNOWN ? "more" : file.length());
  }

  /** Deletes the files of a job, which are not a dataset and must not be mistaken for one. */
  private void deleteFiles(FileSystem fs, DatasetWrite write) throws IOException {
    for (long i = 0; i < write.plan().shardCount(); i++) {
      String name = write.plan().shardName(i);
      for (ShardPlan file : write.plan().files(i)) {
        fs.delete(path(file.name()), false);
      }
      fs.delete(path(Sidecar.name(name)), false);
    }
    deleteWorkFiles(fs, write);
  }

  /** Deletes the files that tasks have left for the documents, those that are there. */
  private void deleteWorkFiles(FileSystem fs, DatasetWrite write) throws IOException {
    for (String name : write.finisher().workFiles()) {
      fs.delete(path(name), false);
    }
  }

  /**
   * Writes a document, under another name first: one of an earlier attempt may be half-written. A
   * dataset that is written at its path is marked as unfinished, and a rename may be a copy there.
   */
  private void write(FileSystem fs, Folder folder, Document document) throws IOException {
    Path to = path(document.name());
    if (location.isRun()) {
      fs.delete(to, false);
    }
    if (spec().isDirect()) {
      write(folder, document.name(), document);
      return;
    }
    String unfinished = "_" + document.name();
    Path from = path(unfinished);
    fs.delete(from, false);
    write(folder, unfinished, document);
    if (!fs.rename(from, to)) {
      throw new IOException(from + ": cannot be renamed to " + to);
    }
  }

  private static void write(Folder folder, String name, Document document) throws IOException {
    try (Output out = folder.create(name)) {
      document.content().writeTo(out);
    }
    folder.awaitForced();
  }

  private void publish() throws IOException {
    OutputSpec spec = spec();
    if (spec.publish() == null || spec.isDeferred()) {
      return;
    }
    if (location.isRun()) {
      DatasetPublication.of(spec, location.ownRun(), output(), DatasetFormats.registry(), conf)
          .run(conf);
      return;
    }
    Path published = PathArgument.parse(spec.publish(), conf);
    RunRecord run =
        RunRecord.of(
            published.toString(),
            output().toString(),
            "",
            UserGroupInformation.getCurrentUser().getShortUserName(),
            "",
            Map.of());
    Path location = RunPaths.of(published);
    // a job that the user has written: other runs to the same path are kept out until it is done
    try (RunFolder folder = RunFolder.claim(location, run, job -> true, Leftovers.REMOVED, conf)) {
      DatasetPublication.of(spec, folder.path(), output(), DatasetFormats.registry(), conf)
          .run(conf);
      folder.markPublished();
    }
  }

  /** Returns which files of a task vouch for the others: the data files, not their companions. */
  Set<String> dataFiles(Set<String> names) throws IOException {
    WritePlan plan = format.write(conf).plan();
    Set<String> found = new HashSet<>();
    for (long i = 0; i < plan.shardCount() && found.size() < names.size(); i++) {
      String name = plan.shardName(i);
      if (names.contains(name)) {
        found.add(name);
      }
    }
    return found;
  }
}
