package org.saevhadoop.mapreduce.publish.storage;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.io.WriteFailure;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.QuotaFailure;
import org.saevhadoop.mapreduce.publish.storage.RunStorage.EntryKind;

/**
 * A file that is written as a whole: under another name beside its path, forced to the disk, and
 * renamed, so that the path names the old file or the new one.
 *
 * @param path the qualified path
 */
public record ReplacedFile(Path path, Configuration conf) {
  public static ReplacedFile at(Path path, Configuration conf) throws IOException {
    return new ReplacedFile(path.getFileSystem(conf).makeQualified(path), conf);
  }

  /**
   * Checks that the file can be created, without any write.
   *
   * @param overwrite whether an existing file may be replaced
   * @throws FormatException if something else is at the path, or if the folder of a local file does
   *     not exist
   */
  public void check(boolean overwrite) throws IOException {
    EntryKind kind = RunStorage.of(path, conf).kind(path);
    FileError.ALREADY_EXISTS.check(
        overwrite || kind == EntryKind.ABSENT,
        shown(),
        "already exists (expected another path, or --overwrite)");
    FileError.NOT_REPLACEABLE.check(
        kind == EntryKind.ABSENT || kind == EntryKind.FILE,
        shown(),
        "cannot be replaced: it is not a file (expected a file, or another path)");
    if (isLocal() && !path.getFileSystem(conf).exists(path.getParent())) {
      throw missingFolder();
    }
  }

  /**
   * Writes the file, and replaces an existing one.
   *
   * @throws FormatException if the storage does not allow it, or has no space
   */
  public void write(byte[] content) throws IOException {
    Path folder = path.getParent();
    if (!isLocal()) {
      path.getFileSystem(conf).mkdirs(folder);
    }
    RunStorage storage = RunStorage.of(path, conf);
    Path unfinished = PathArgument.child(folder, "." + UUID.randomUUID());
    try {
      storage.write(unfinished, content);
      storage.replace(unfinished, path);
      storage.force(folder);
    } catch (IOException e) {
      throw failure(e);
    } finally {
      storage.delete(RunStorage.unfinished(unfinished));
      storage.delete(unfinished);
    }
  }

  private boolean isLocal() throws IOException {
    return HadoopFolder.isLocal(path.getFileSystem(conf));
  }

  private String shown() throws IOException {
    return HadoopStorage.show(path, conf);
  }

  private FormatException missingFolder() throws IOException {
    return FileError.NOT_FOUND.in(shown(), "cannot be written: its directory does not exist");
  }

  /** Returns an error that names the file. */
  private IOException failure(IOException e) throws IOException {
    IOException cause =
        e instanceof FormatException && e.getCause() instanceof IOException own ? own : e;
    if (cause instanceof NoSuchFileException) {
      return missingFolder().causedBy(cause);
    }
    if (isLocal()) {
      return WriteFailure.of(LocalRunStorage.local(path), "be written", cause);
    }
    return WriteFailure.isFull(cause)
        ? FileError.NO_SPACE
            .in(shown(), "cannot be written: %s", Quote.show(cause.getMessage()))
            .causedBy(cause)
        : QuotaFailure.of(shown(), cause);
  }
}
