package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The local disk as a storage of its own, {@code counted:}, that counts what a NameNode would be
 * asked. It is a FileSystem of the cache of its configuration's user, and is reset by a test.
 */
public final class CountedFileSystem extends FilterFileSystem {
  /** The scheme. Its state is static, so classes that use it must not run at once. */
  static final String SCHEME = "counted";

  private static final URI ROOT = URI.create(SCHEME + ":///");
  private static final Map<String, Integer> REQUESTS = new TreeMap<>();

  public CountedFileSystem() {
    super(
        new RawLocalFileSystem() {
          @Override
          public URI getUri() {
            return ROOT;
          }
        });
  }

  /** Makes the scheme known to a configuration, and forgets the requests before. */
  static void register(Configuration conf) {
    conf.setClass("fs.counted.impl", CountedFileSystem.class, FileSystem.class);
    conf.setBoolean("fs.counted.impl.disable.cache", true);
    requests();
  }

  /** The path under this scheme of a path of the local disk. */
  static Path path(java.nio.file.Path local) {
    return new Path(SCHEME + "://" + local.toAbsolutePath());
  }

  /** Returns the numbers of requests by kind, and forgets them. */
  static synchronized Map<String, Integer> requests() {
    Map<String, Integer> found = new TreeMap<>(REQUESTS);
    REQUESTS.clear();
    return found;
  }

  private static synchronized void count(String request) {
    REQUESTS.merge(request, 1, Integer::sum);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    count("status");
    return super.getFileStatus(path);
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    count("listing");
    return super.listStatus(path);
  }

  @Override
  public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
    count("listing");
    return super.listStatusIterator(path);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    count("open");
    return super.open(path, bufferSize);
  }

  @Override
  public FutureDataInputStreamBuilder openFile(Path path) throws IOException {
    count("open");
    return super.openFile(path);
  }

  @Override
  public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) {
    throw new AssertionError("needs a status of " + file.getPath());
  }

  @Override
  public BlockLocation[] getFileBlockLocations(Path path, long start, long length) {
    count("locations");
    String[] hosts = {"host-of-" + path.getName()};
    return new BlockLocation[] {new BlockLocation(null, hosts, 0, start + length)};
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) {
    return false;
  }
}
