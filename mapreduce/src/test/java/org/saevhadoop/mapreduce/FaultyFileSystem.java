package org.saevhadoop.mapreduce;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.FileSystemMultipartUploader;
import org.apache.hadoop.fs.impl.FileSystemMultipartUploaderBuilder;
import org.apache.hadoop.fs.impl.FutureDataInputStreamBuilderImpl;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.saevhadoop.format.storage.UnfinishedMarker;

/**
 * The local disk as a storage of its own, {@code faulty:}, that counts the requests a NameNode
 * would receive and has the faults a test asks for: renames fail, the disk is full, a bit is
 * flipped. It can be an object store, which has multipart uploads.
 *
 * <p>Flipped bits belong to a configuration; all other state is static, so classes that use it must
 * lock {@link #SCHEME}.
 */
public final class FaultyFileSystem extends FilterFileSystem {
  /** How renames fail. */
  public enum Failure {
    /** As HDFS reports that it cannot. */
    FALSE,
    /** As a broken connection does, nothing having happened. */
    EXCEPTION,
    /** As a connection does that breaks before the answer comes: it has happened. */
    LOST_ANSWER,
    /** As a mistake of the caller: an object store would copy. */
    ERROR
  }

  public static final String SCHEME = "faulty";

  private static final URI ROOT = URI.create(SCHEME + ":///");
  private static final String LIMITED = "faulty.limited";
  private static final String FLIPPED_FILE = "faulty.flipped.file";
  private static final String FLIPPED_BIT = "faulty.flipped.bit";
  private static final String FLIPS_READS = "faulty.flips.reads";

  private static final Map<String, Integer> REQUESTS = new TreeMap<>();
  private static final List<String> OPENED = Collections.synchronizedList(new ArrayList<>());
  private static final Map<String, Long> READ = new ConcurrentHashMap<>();
  private static final Set<String> UPLOADS = ConcurrentHashMap.newKeySet();
  private static final AtomicLong FREE = new AtomicLong();
  private static volatile boolean onlyAtClose;
  private static volatile boolean virtualBlocks;
  private static volatile boolean objects;
  private static volatile Predicate<Path> failingTarget = path -> false;
  private static volatile Failure failure = Failure.FALSE;

  public FaultyFileSystem() {
    super(
        new RawLocalFileSystem() {
          @Override
          public URI getUri() {
            return ROOT;
          }
        });
  }

  /** Returns a configuration that knows the scheme, without faults. */
  public static Configuration conf() {
    Configuration conf = new Configuration();
    define(conf);
    return conf;
  }

  /** Returns a configuration with a disk that is full after {@link #setFree}. */
  public static Configuration limited() {
    Configuration conf = conf();
    conf.setBoolean(LIMITED, true);
    return conf;
  }

  /**
   * Returns a configuration with a disk that flips a bit of the files of a name.
   *
   * @param reading whether the bit is flipped whenever a file is read; otherwise when it is written
   */
  public static Configuration flipping(String file, long bit, boolean reading) {
    Configuration conf = conf();
    conf.set(FLIPPED_FILE, file);
    conf.setLong(FLIPPED_BIT, bit);
    conf.setBoolean(FLIPS_READS, reading);
    return conf;
  }

  private static void define(Configuration conf) {
    conf.setClass("fs.faulty.impl", FaultyFileSystem.class, FileSystem.class);
    conf.setBoolean("fs.faulty.impl.disable.cache", true);
  }

  /** Makes the scheme known to a configuration, and forgets what happened before. */
  public static void register(Configuration conf) {
    define(conf);
    requests();
    OPENED.clear();
    READ.clear();
    UPLOADS.clear();
    virtualBlocks = false;
    objects = false;
    failingTarget = path -> false;
  }

  /** Makes the scheme known to a configuration as that of an object store. */
  public static void registerObjectStore(Configuration conf) {
    register(conf);
    objects = true;
  }

  /** Returns the path under this scheme of a path of the local disk. */
  public static Path path(java.nio.file.Path local) {
    return new Path(uri(local));
  }

  /** Returns the URI under this scheme of a path of the local disk. */
  public static String uri(java.nio.file.Path local) {
    return SCHEME + "://" + local.toAbsolutePath();
  }

  /** Lets renames to some paths fail from now on. */
  static void failRenames(Predicate<Path> to, Failure how) {
    failure = how;
    failingTarget = to;
  }

  /** Makes the blocks of all files virtual from now on. */
  static void makeBlocksVirtual() {
    virtualBlocks = true;
  }

  /**
   * Sets the space that is left on limited disks.
   *
   * @param atClose whether an excess is reported only when the file is closed, as storages with
   *     delayed allocation and quotas do
   */
  public static void setFree(long bytes, boolean atClose) {
    FREE.set(bytes);
    onlyAtClose = atClose;
  }

  /** Returns the space that is left; negative for an excess. */
  public static long free() {
    return FREE.get();
  }

  /** Begins an upload that is never completed. */
  static void beginUpload(Path path) {
    UPLOADS.add(path.toUri().getPath());
  }

  /** Returns the paths of the uploads that were neither completed nor aborted. */
  static Set<String> uploads() {
    return UPLOADS;
  }

  /** Returns the names of the files that were opened since the scheme was registered. */
  public static List<String> opened() {
    return List.copyOf(OPENED);
  }

  /** Returns how many bytes of each file were read since the scheme was registered, by name. */
  public static Map<String, Long> bytesRead() {
    return Map.copyOf(READ);
  }

  /** Returns the numbers of requests by kind, and forgets them. */
  public static synchronized Map<String, Integer> requests() {
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
    if (!path.getName().equals(UnfinishedMarker.NAME)) { // which readers look for, on such storages
      OPENED.add(path.getName());
    }
    return new FSDataInputStream(new WatchedInput(path, super.open(path, bufferSize)));
  }

  @Override
  public FutureDataInputStreamBuilder openFile(Path path) {
    return new FutureDataInputStreamBuilderImpl(this, path) {
      @Override
      public CompletableFuture<FSDataInputStream> build() throws IOException {
        return CompletableFuture.completedFuture(FaultyFileSystem.this.open(path));
      }
    };
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    FSDataOutputStream out =
        super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
    return new FSDataOutputStream(new FaultyOutput(out, isFlipped(path, false)), null);
  }

  @Override
  public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) {
    count("locations by status");
    return locations(file.getPath(), start, length);
  }

  @Override
  public BlockLocation[] getFileBlockLocations(Path path, long start, long length) {
    count("locations");
    return locations(path, start, length);
  }

  private static BlockLocation[] locations(Path path, long start, long length) {
    String[] hosts = {"host-of-" + path.getName()};
    return new BlockLocation[] {new BlockLocation(null, hosts, 0, start + length)};
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    return switch (capability) {
      // the local disk's own answer is that they are
      case CommonPathCapabilities.VIRTUAL_BLOCK_LOCATIONS -> virtualBlocks;
      case CommonPathCapabilities.FS_MULTIPART_UPLOADER -> objects;
      default -> super.hasPathCapability(path, capability);
    };
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    if (failingTarget.test(to)) {
      if (failure == Failure.ERROR) {
        throw new AssertionError("a copy of " + from);
      }
      if (failure == Failure.LOST_ANSWER) {
        super.rename(from, to);
      }
      if (failure != Failure.FALSE) {
        throw new IOException("the connection broke");
      }
      return false;
    }
    // HDFS makes no folder for a rename; the local disk would copy
    return (objects || fs.exists(to.getParent())) && super.rename(from, to);
  }

  @Override
  public MultipartUploaderBuilder<?, ?> createMultipartUploader(Path base) {
    return new FileSystemMultipartUploaderBuilder(this, base) {
      @Override
      public FileSystemMultipartUploader build() throws IOException {
        return new AbortingUploader(this, getFS());
      }
    };
  }

  /** Returns whether a bit of a file is flipped; documents have another name at first. */
  private boolean isFlipped(Path path, boolean reading) {
    String file = getConf().get(FLIPPED_FILE);
    return reading == getConf().getBoolean(FLIPS_READS, false)
        && (path.getName().equals(file) || path.getName().equals("_" + file));
  }

  private void flip(byte[] bytes, int offset, int count, long position) {
    long bit = getConf().getLong(FLIPPED_BIT, 0);
    long at = bit / Byte.SIZE - position;
    if (at >= 0 && at < count) {
      bytes[offset + (int) at] ^= (byte) (1 << bit % Byte.SIZE);
    }
  }

  private static final class AbortingUploader extends FileSystemMultipartUploader {
    AbortingUploader(FileSystemMultipartUploaderBuilder builder, FileSystem fs) {
      super(builder, fs);
    }

    @Override
    public CompletableFuture<Integer> abortUploadsUnderPath(Path path) {
      int before = UPLOADS.size();
      UPLOADS.removeIf(upload -> upload.startsWith(path.toUri().getPath() + "/"));
      return CompletableFuture.completedFuture(before - UPLOADS.size());
    }
  }

  private final class WatchedInput extends FSInputStream {
    private final String name;
    private final boolean flips;
    private final FSDataInputStream in;

    WatchedInput(Path path, FSDataInputStream in) {
      this.name = path.getName();
      this.flips = isFlipped(path, true);
      this.in = in;
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
      long position = in.getPos();
      int n = in.read(bytes, offset, count);
      READ.merge(name, (long) Math.max(0, n), Long::sum);
      if (flips) {
        flip(bytes, offset, n, position);
      }
      return n;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  private final class FaultyOutput extends FilterOutputStream {
    private final boolean flips;
    private final boolean limited = getConf().getBoolean(LIMITED, false);
    private long position;
    private boolean exceeded;

    FaultyOutput(FSDataOutputStream out, boolean flips) {
      super(out);
      this.flips = flips;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      if (limited && FREE.addAndGet(-count) < 0) {
        exceeded = true;
        if (!onlyAtClose) {
          throw new IOException("No space left on device");
        }
      }
      byte[] copy = Arrays.copyOfRange(bytes, offset, offset + count);
      if (flips) {
        flip(copy, 0, count, position);
      }
      position += count;
      out.write(copy);
    }

    @Override
    public void close() throws IOException {
      out.close();
      if (exceeded) {
        throw new IOException("Disk quota exceeded");
      }
    }
  }
}
