package org.saevhadoop.mapreduce.io;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.storage.UnfinishedMarker;

/**
 * A path in a Hadoop file system other than the local disk.
 *
 * @param path the qualified path
 */
public record HadoopPath(Path path, FileSystem fs, Configuration conf) implements StoragePath {
  /** Returns a path with its storage: the local disk or a Hadoop file system. */
  public static StoragePath of(Path path, Configuration conf) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    Path qualified = fs.makeQualified(path);
    return HadoopFolder.isLocal(fs)
        ? new LocalPath(java.nio.file.Path.of(qualified.toUri().getPath()))
        : new HadoopPath(qualified, fs, conf);
  }

  /**
   * Returns the absolute path that a string denotes.
   *
   * @throws org.saevhadoop.format.io.FormatException if the string cannot be a path
   */
  public static StoragePath parse(String text, Configuration conf) throws IOException {
    return of(PathArgument.unqualified(text, conf), conf);
  }

  /** Returns a path in the form that Hadoop's classes need. */
  public static Path hadoop(StoragePath path) {
    return path instanceof HadoopPath remote ? remote.path : new Path("file", null, path.shown());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HadoopPath same && path.equals(same.path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public String shown() {
    return HadoopStorage.show(path);
  }

  @Override
  public String qualified() {
    return path.toString();
  }

  @Override
  public String toString() {
    return qualified();
  }

  @Override
  public StoragePath parse(String qualified) {
    return new HadoopPath(new Path(qualified), fs, conf);
  }

  @Override
  public boolean contains(StoragePath other) {
    return other instanceof HadoopPath inner
        && isSameStorage(fs, inner.fs)
        && slash(inner.path).startsWith(slash(path));
  }

  /**
   * Compares file systems by their service, because the same file system can be named with and
   * without a port.
   */
  private static boolean isSameStorage(FileSystem a, FileSystem b) {
    String service = a.getCanonicalServiceName();
    return service == null
        ? a.getUri().equals(b.getUri())
        : service.equals(b.getCanonicalServiceName());
  }

  private static String slash(Path path) {
    String text = path.toUri().getPath();
    return text.endsWith("/") ? text : text + "/";
  }

  @Override
  public String name() {
    return path.getName();
  }

  @Override
  public @Nullable StoragePath parent() {
    return path.getParent() == null ? null : new HadoopPath(path.getParent(), fs, conf);
  }

  @Override
  public StoragePath child(String name) {
    return new HadoopPath(PathArgument.child(path, name), fs, conf);
  }

  @Override
  public Kind kind() throws IOException {
    try {
      return fs.getFileStatus(path).isDirectory() ? Kind.FOLDER : Kind.FILE;
    } catch (FileNotFoundException e) {
      return Kind.MISSING;
    }
  }

  @Override
  public List<String> names(int limit) throws IOException {
    List<String> names = new ArrayList<>();
    RemoteIterator<FileStatus> listed = fs.listStatusIterator(path);
    while (names.size() < limit && listed.hasNext()) {
      names.add(listed.next().getPath().getName());
    }
    return names;
  }

  @Override
  public Folder folder(boolean forced, boolean compared) throws IOException {
    return new HadoopFolder(fs, path, forced, compared);
  }

  @Override
  public Storage storage() {
    return new HadoopStorage(conf);
  }

  @Override
  public void visitFiles(int depth, FileVisitor visitor) throws IOException {
    visitFiles(path, depth, visitor);
  }

  private void visitFiles(Path folder, int depth, FileVisitor visitor) throws IOException {
    List<Path> folders = new ArrayList<>();
    try {
      RemoteIterator<FileStatus> entries = fs.listStatusIterator(folder);
      while (entries.hasNext()) {
        FileStatus entry = entries.next();
        if (entry.isDirectory()) {
          folders.add(entry.getPath());
        } else {
          visitor.visit(entry.getPath(), entry.getLen(), entry.getModificationTime());
        }
      }
    } catch (AccessControlException | AccessDeniedException e) {
      return; // the files in it may still be readable
    }
    if (depth > 1) {
      for (Path inner : folders) {
        visitFiles(inner, depth - 1, visitor);
      }
    }
  }

  @Override
  public OptionalLong bytesOnDisk() throws IOException {
    if (!HadoopFolder.hasFolders(fs)) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(fs.getContentSummary(path).getSpaceConsumed());
    } catch (AccessControlException e) {
      return OptionalLong.empty();
    }
  }

  @Override
  public OptionalLong freeBytes() throws IOException {
    return fs.getUri().getScheme().equals(HadoopFolder.HDFS)
        ? OptionalLong.of(fs.getStatus(path).getRemaining())
        : OptionalLong.empty();
  }

  @Override
  public int copies() {
    return fs.getDefaultReplication(path);
  }

  /**
   * {@inheritDoc} The NameNode walks the subtree of a folder without a quota, and refuses the
   * request if the user may not read a folder in the subtree.
   */
  @Override
  public OptionalLong quotaLeft() throws IOException {
    try {
      QuotaUsage usage = fs.getQuotaUsage(path);
      return usage.getSpaceQuota() < 0
          ? OptionalLong.empty()
          : OptionalLong.of(usage.getSpaceQuota() - usage.getSpaceConsumed());
    } catch (AccessControlException e) {
      throw (IOException) new AccessDeniedException(path.toString()).initCause(e);
    }
  }

  @Override
  public void refuseUnfinished(Location location) throws IOException {
    if (!HadoopFolder.hasFolders(fs)) { // no run writes in place if a rename is cheap
      refuse(new Path(location.folder().path()));
    }
  }

  private void refuse(Path folder) throws IOException {
    byte[] document;
    try (FSDataInputStream in = fs.open(PathArgument.child(folder, UnfinishedMarker.NAME))) {
      document = in.readNBytes(UnfinishedMarker.MAX_BYTES);
    } catch (FileNotFoundException e) {
      return;
    }
    UnfinishedMarker.parse(document)
        .check(HadoopStorage.show(folder), conf.get(UnfinishedMarker.READER));
  }
}
