package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.saevhadoop.mapreduce.io.UnfinishedMarker;

/**
 * The local disk as a storage of its own, {@code guarded:}, that is not taken for the local disk:
 * it notes which files are opened and fails the renames that it is told to.
 */
public final class GuardedFileSystem extends FilterFileSystem {
  /** How renames fail. */
  enum Failure {
    /** As HDFS says that it cannot. */
    FALSE,
    /** As a broken connection does, nothing having happened. */
    EXCEPTION,
    /** As a connection does that breaks before the answer comes: it has happened. */
    LOST_ANSWER
  }

  /** The scheme. Its state is static, so classes that use it must not run at once. */
  public static final String SCHEME = "guarded";

  private static final URI ROOT = URI.create(SCHEME + ":///");
  private static final List<String> OPENED = new CopyOnWriteArrayList<>();
  private static volatile Predicate<Path> failingTarget = path -> false;
  private static volatile boolean virtualBlocks;
  private static volatile Failure failure = Failure.FALSE;

  public GuardedFileSystem() {
    super(
        new RawLocalFileSystem() {
          @Override
          public URI getUri() {
            return ROOT;
          }
        });
  }

  /** Makes the scheme known to a configuration, and forgets what happened before. */
  public static void register(Configuration conf) {
    conf.setClass("fs.guarded.impl", GuardedFileSystem.class, FilterFileSystem.class);
    conf.setBoolean("fs.guarded.impl.disable.cache", true);
    OPENED.clear();
    virtualBlocks = false;
    failingTarget = path -> false;
  }

  /** The path under this scheme of a path of the local disk. */
  public static Path path(java.nio.file.Path local) {
    return new Path("guarded://" + local.toAbsolutePath());
  }

  /** Lets renames to some paths fail from now on. */
  static void failRenames(Predicate<Path> to, Failure how) {
    failure = how;
    failingTarget = to;
  }

  /** Says from now on that the blocks of its files are blocks only in name. */
  static void makeBlocksVirtual() {
    virtualBlocks = true;
  }

  /** Names of the files that were opened since the scheme was registered. */
  static List<String> opened() {
    return List.copyOf(OPENED);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (!path.getName().equals(UnfinishedMarker.NAME)) { // which readers look for, on such storages
      OPENED.add(path.getName());
    }
    return super.open(path, bufferSize);
  }

  @Override
  public FutureDataInputStreamBuilder openFile(Path path) throws IOException {
    OPENED.add(path.getName());
    return super.openFile(path);
  }

  @Override
  public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) {
    String[] hosts = {"host-of-" + file.getPath().getName()};
    return new BlockLocation[] {new BlockLocation(null, hosts, 0, file.getLen())};
  }

  @Override
  public BlockLocation[] getFileBlockLocations(Path path, long start, long length)
      throws IOException {
    return getFileBlockLocations(getFileStatus(path), start, length);
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    // the local disk's own answer is that they are
    return capability.equals("fs.capability.virtual.block.locations")
        ? virtualBlocks
        : super.hasPathCapability(path, capability);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    if (failingTarget.test(to)) {
      if (failure == Failure.LOST_ANSWER) {
        super.rename(from, to);
      }
      if (failure != Failure.FALSE) {
        throw new IOException("the connection broke");
      }
      return false;
    }
    // HDFS makes no folder for a rename; the local disk would copy
    return exists(to.getParent()) && super.rename(from, to);
  }
}
