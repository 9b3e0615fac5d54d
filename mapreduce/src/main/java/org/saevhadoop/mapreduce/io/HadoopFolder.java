package org.saevhadoop.mapreduce.io;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.WriteFailure;

/** A folder of a Hadoop file system. */
@PublicApi
public final class HadoopFolder implements Folder {
  private static final int COPY_BYTES = 1 << 20;

  /** The scheme of HDFS, on which a file can be created without creating missing parents. */
  static final String HDFS = "hdfs";

  private static final Set<String> WITH_FOLDERS = Set.of(HDFS, "viewfs");

  private final FileSystem fs;
  private final Path directory;
  private final boolean forced;
  private final boolean compared;

  HadoopFolder(FileSystem fs, Path directory, boolean forced, boolean compared) {
    this.fs = fs;
    this.directory = directory;
    this.forced = forced;
    this.compared = compared;
  }

  /**
   * Returns the folder at a path. A folder in the local file system is read and written without
   * Hadoop: at the speed of the disk, and without {@code .crc} files next to the files of the
   * dataset.
   */
  public static Folder of(Path path, Configuration conf) throws IOException {
    return HadoopPath.of(path, conf).folder();
  }

  /**
   * Returns whether a file system is one of Hadoop's local file systems.
   *
   * @hidden
   */
  @Internal
  public static boolean isLocal(FileSystem fs) {
    return fs instanceof LocalFileSystem || fs instanceof RawLocalFileSystem;
  }

  /**
   * Returns whether a file system renames a folder with its content in one operation. Other file
   * systems copy each file.
   *
   * @hidden
   */
  @Internal
  public static boolean hasFolders(FileSystem fs) {
    return isLocal(fs) || WITH_FOLDERS.contains(fs.getUri().getScheme());
  }

  @Override
  public String path() {
    return directory.toString();
  }

  @Override
  public SortedMap<String, Long> files() throws IOException {
    return list().files();
  }

  @Override
  public SortedSet<String> folders() throws IOException {
    return list().folders();
  }

  @Override
  public Listing list() throws IOException {
    SortedMap<String, Long> files = new TreeMap<>();
    SortedSet<String> folders = new TreeSet<>();
    // an array of all statuses would need a kilobyte per file
    RemoteIterator<FileStatus> listed = fs.listStatusIterator(directory);
    while (listed.hasNext()) {
      FileStatus status = listed.next();
      if (status.isDirectory()) {
        folders.add(status.getPath().getName());
      } else {
        files.put(status.getPath().getName(), status.getLen());
      }
    }
    return new Listing(files, folders);
  }

  @Override
  public Optional<Folder> parent() {
    return Optional.ofNullable(directory.getParent())
        .map(parent -> new HadoopFolder(fs, parent, forced, compared));
  }

  @Override
  public Optional<Folder> folder(String name) throws IOException {
    Path path = PathArgument.child(directory, name);
    try {
      boolean there = fs.getFileStatus(path).isDirectory();
      return there ? Optional.of(new HadoopFolder(fs, path, forced, compared)) : Optional.empty();
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public Input open(String name) throws IOException {
    Path path = PathArgument.child(directory, name);
    try {
      FileStatus status = fs.getFileStatus(path);
      FileError.NOT_A_FILE.check(status.isFile(), path.toString(), "is not a regular file");
      FSDataInputStream stream =
          FutureIO.awaitFuture(
              fs.openFile(path)
                  .withFileStatus(status)
                  .opt("fs.option.openfile.read.policy", "sequential")
                  .build());
      boolean direct = stream.hasCapability(StreamCapabilities.READBYTEBUFFER);
      return new Reader(
          path.toString(), stream, status.getLen(), direct ? null : new byte[COPY_BYTES]);
    } catch (FileNotFoundException e) {
      throw FileError.NOT_FOUND.in(path.toString(), "no such file").causedBy(e);
    }
  }

  @Override
  public Output create(String name) throws IOException {
    Path path = PathArgument.child(directory, name);
    FSDataOutputStream stream;
    try {
      stream =
          HDFS.equals(fs.getUri().getScheme())
              ? fs.createFile(path).overwrite(false).build()
              : fs.create(path, false);
    } catch (IOException e) {
      throw QuotaFailure.of(path.toString(), e);
    }
    StoredChecksum checksum = compared ? StoredChecksum.of(fs, path, stream) : null;
    return new Writer(path.toString(), stream, forced, checksum);
  }

  @Override
  public void delete(String name) throws IOException {
    fs.delete(PathArgument.child(directory, name), false);
  }

  /**
   * A file that is read.
   *
   * @param copy receives the bytes of a stream that cannot read into a buffer; otherwise null
   */
  private record Reader(String path, FSDataInputStream stream, long length, byte @Nullable [] copy)
      implements Input {
    // seek and read: on HDFS every positioned read opens a new block reader, which halves the speed
    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      if (stream.getPos() != position) {
        FileError.TRUNCATED.check(
            position <= length,
            path,
            "ends at byte %d (expected data from byte %d on)",
            length,
            position);
        stream.seek(position);
      }
      while (dst.hasRemaining()) {
        int n = copy == null ? stream.read(dst) : readCopying(dst);
        FileError.TRUNCATED.check(
            n >= 0,
            path,
            "ends at byte %d, %d bytes short of a read at byte %d",
            stream.getPos(),
            dst.remaining(),
            position);
      }
    }

    private int readCopying(ByteBuffer dst) throws IOException {
      byte[] bytes = Objects.requireNonNull(copy);
      int n = stream.read(bytes, 0, Math.min(bytes.length, dst.remaining()));
      if (n > 0) {
        dst.put(bytes, 0, n);
      }
      return n;
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }

  private static final class Writer implements Output {
    private final String path;
    private final FSDataOutputStream stream;
    private final boolean forced;
    private final @Nullable StoredChecksum checksum;
    private final byte[] copy = new byte[COPY_BYTES];
    private long position;
    private boolean failed;
    private boolean closed;

    Writer(
        String path, FSDataOutputStream stream, boolean forced, @Nullable StoredChecksum checksum) {
      this.path = path;
      this.stream = stream;
      this.forced = forced;
      this.checksum = checksum;
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void write(ByteBuffer src) throws IOException {
      position += src.remaining();
      while (src.hasRemaining()) {
        int n = Math.min(copy.length, src.remaining());
        src.get(copy, 0, n);
        try {
          if (checksum != null) {
            checksum.update(copy, 0, n);
          }
          stream.write(copy, 0, n);
        } catch (IOException e) {
          failed = true;
          throw failed(e);
        }
      }
    }

    /**
     * Returns an error that names the file, unlike exceptions from Hadoop and the operating system.
     */
    private IOException failed(IOException e) {
      IOException quota = QuotaFailure.of(path, e);
      if (quota != e) {
        return quota;
      }
      FileError kind = WriteFailure.isFull(e) ? FileError.NO_SPACE : FileError.WRITE_FAILED;
      return kind.in(path, "cannot be written: %s, at byte %d", firstLine(e), position).causedBy(e);
    }

    private static String firstLine(IOException e) {
      return e.getMessage() == null
          ? e.getClass().getSimpleName()
          : e.getMessage().lines().findFirst().orElse("");
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      try (stream) {
        if (forced) {
          stream.hsync();
        }
      } catch (IOException e) {
        throw failed(e);
      }
      if (checksum != null && !failed) {
        compare(checksum);
      }
    }

    private void compare(StoredChecksum checksum) throws IOException {
      try {
        checksum.compare();
      } catch (FormatException e) {
        throw e;
      } catch (IOException e) {
        throw FileError.READ_FAILED
            .in(
                path,
                "its stored checksum cannot be read: %s (expected DataNodes that combine"
                    + " checksums; -D saev.output.checksum=off writes without it)",
                firstLine(e))
            .causedBy(e);
      }
    }
  }
}
