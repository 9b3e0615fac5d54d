package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
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
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.publish.CompleteMark;
import org.saevhadoop.format.publish.DatasetPublication;
import org.saevhadoop.format.publish.run.Leftovers;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.publish.run.RunRecord;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.job.OutputSpec;

/**
 * Makes a dataset from the files of a job whose tasks are all committed. In the folder of a run,
 * each step may be repeated after an interruption: the application master may die at any time, and
 * the next one begins again.
 *
 * @param writes returns the output, a separate object for each task
 * @param storage the storage of the location
 * @param scratch returns a folder on the local disk for temporary files
 */
public record DatasetCompletion(
    OutputLocation location,
    Io.Supplier<DatasetWrite> writes,
    RunStorage storage,
    Io.Supplier<Path> scratch) {
  private OutputSpec spec() {
    return location.spec();
  }

  private StoragePath output() {
    return location.data();
  }

  private StoragePath path(String name) {
    return output().child(name);
  }

  /** Returns whether the files are already a dataset, completed by an earlier attempt. */
  public boolean isDone() throws IOException {
    return location.isRun() && RunFolder.isComplete(location.ownRun(), storage);
  }

  /**
   * Checks the files, writes the documents and publishes the dataset.
   *
   * @throws FormatException if a file is missing or its length is not as planned
   */
  public void run() throws IOException {
    if (!isDone()) {
      complete();
    }
    publish();
  }

  private void complete() throws IOException {
    DatasetWrite write = writes.get();
    boolean forced = spec().isForced(output().isLocal());
    Folder folder = output().folder(forced, spec().isCompared());
    if (write.plan().table().examples() == 0) {
      writeEmptyFiles(write, folder);
    }
    try {
      checkComplete(folder, write.plan());
    } catch (FormatException e) {
      if (!location.isRun()) {
        deleteFiles(write);
      }
      throw e;
    }
    for (Document document : write.finisher().documents(folder)) {
      write(folder, document);
    }
    if (location.isRun()) {
      CompleteMark.write(location.ownRun(), output(), write.finisher().workFiles(), storage);
    }
    deleteWorkFiles(write);
  }

  /** Writes the files of a dataset without examples, which has no records and therefore no task. */
  private void writeEmptyFiles(DatasetWrite write, Folder folder) throws IOException {
    try (ShardSinks sinks = write.sinks()) {
      for (long i = 0; i < write.plan().shardCount(); i++) {
        for (ShardPlan file : write.plan().files(i)) {
          storage.delete(path(file.name()));
        }
        sinks.open(i, false, folder, scratch.get()).close();
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
        "was not written (expected a file with examples %d to %d)",
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
  private void deleteFiles(DatasetWrite write) throws IOException {
    for (long i = 0; i < write.plan().shardCount(); i++) {
      String name = write.plan().shardName(i);
      for (ShardPlan file : write.plan().files(i)) {
        storage.delete(path(file.name()));
      }
      storage.delete(path(Sidecar.name(name)));
    }
    deleteWorkFiles(write);
  }

  /** Deletes the files that tasks have left for the documents, if they exist. */
  private void deleteWorkFiles(DatasetWrite write) throws IOException {
    for (String name : write.finisher().workFiles()) {
      storage.delete(path(name));
    }
  }

  /**
   * Writes a document, first under another name, because a document from an earlier attempt may be
   * incomplete. In a dataset that is written at its path, the document is not renamed: a marker
   * shows that the dataset is unfinished, and a rename may be a copy.
   */
  private void write(Folder folder, Document document) throws IOException {
    StoragePath to = path(document.name());
    if (location.isRun()) {
      storage.delete(to);
    }
    if (spec().isDirect()) {
      write(folder, document.name(), document);
      return;
    }
    String unfinished = "_" + document.name();
    StoragePath from = path(unfinished);
    storage.delete(from);
    write(folder, unfinished, document);
    storage.rename(from, to);
  }

  private static void write(Folder folder, String name, Document document) throws IOException {
    try (Output out = folder.create(name)) {
      document.content().accept(out);
    }
    folder.awaitForced();
  }

  private void publish() throws IOException {
    OutputSpec spec = spec();
    StoragePath published = location.published();
    if (published == null || spec.isDeferred()) {
      return;
    }
    if (location.isRun()) {
      publication(location.ownRun(), published).run();
      return;
    }
    RunRecord run =
        RunRecord.of(published.qualified(), output().qualified(), "", storage.user(), "", Map.of());
    StoragePath path = RunPaths.of(published);
    // a job that the user has written: other runs to the same path are kept out until it is done
    try (RunFolder folder = RunFolder.claim(path, run, job -> true, Leftovers.REMOVED, storage)) {
      publication(folder.path(), published).run();
      folder.markPublished();
    }
  }

  private DatasetPublication publication(StoragePath run, StoragePath published) {
    return new DatasetPublication(
        run, output(), published, spec().replace(), storage, DatasetFormats.registry());
  }

  /**
   * Returns the data files of a task, not their companions: a data file shows that its companions
   * are complete.
   */
  public Set<String> dataFiles(Set<String> names) throws IOException {
    WritePlan plan = writes.get().plan();
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
