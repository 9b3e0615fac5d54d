package org.saevhadoop.converters.storage;

import java.io.FileNotFoundException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * The local disk under the scheme {@code lying}, but for one bit of one file: it is flipped
 * whenever the file is written, or whenever it is read.
 */
public final class LyingFileSystem extends FileSystem {
  /** The name of the file; files of any folder have it. */
  private static final String FILE = "lying.file";

  private static final String BIT = "lying.bit";
  private static final String READING = "lying.reading";

  private String file;
  private long bit;
  private boolean reading;

  /** Returns a configuration with a disk that tells the truth. */
  public static Configuration honest() {
    Configuration conf = new Configuration();
    conf.setClass("fs.lying.impl", LyingFileSystem.class, FileSystem.class);
    conf.setBoolean("fs.lying.impl.disable.cache", true);
    return conf;
  }

  /** Returns a configuration with a disk that flips a bit of a file. */
  public static Configuration flipping(String file, long bit, boolean reading) {
    Configuration conf = honest();
    conf.set(FILE, file);
    conf.setLong(BIT, bit);
    conf.setBoolean(READING, reading);
    return conf;
  }

  /** Returns a local path as a path of this file system. */
  public static String path(java.nio.file.Path local) {
    return "lying:" + local;
  }

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(uri, conf);
    setConf(conf);
    file = conf.get(FILE);
    bit = conf.getLong(BIT, 0);
    reading = conf.getBoolean(READING, false);
  }

  @Override
  public URI getUri() {
    return URI.create("lying:///");
  }

  private static java.nio.file.Path local(Path path) {
    return java.nio.file.Path.of(path.toUri().getPath());
  }

  /** Returns whether a bit of a file is flipped; documents have another name at first. */
  private boolean lies(Path path, boolean now) {
    return now == reading && (path.getName().equals(file) || path.getName().equals("_" + file));
  }

  private void flip(byte[] bytes, int offset, int count, long position) {
    long at = bit / Byte.SIZE - position;
    if (at >= 0 && at < count) {
      bytes[offset + (int) at] ^= (byte) (1 << bit % Byte.SIZE);
    }
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return new FSDataInputStream(new Reader(local(path), lies(path, true)));
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
    Files.createDirectories(local(path).getParent());
    boolean lies = lies(path, false);
    return new FSDataOutputStream(new Writer(Files.newOutputStream(local(path)), lies), null);
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    java.nio.file.Path target = local(to);
    if (Files.isDirectory(target)) {
      target = target.resolve(from.getName());
    }
    if (Files.exists(target) || !Files.exists(local(from))) {
      return false;
    }
    Files.move(local(from), target);
    return true;
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    if (!Files.exists(local(path))) {
      return false;
    }
    if (Files.isDirectory(local(path)) && recursive) {
      for (FileStatus entry : listStatus(path)) {
        delete(entry.getPath(), true);
      }
    }
    Files.delete(local(path));
    return true;
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    FileStatus own = getFileStatus(path);
    if (own.isFile()) {
      return new FileStatus[] {own};
    }
    try (Stream<java.nio.file.Path> entries = Files.list(local(path))) {
      return entries
          .map(entry -> status(new Path(path, entry.getFileName().toString())))
          .toArray(FileStatus[]::new);
    }
  }

  @Override
  public void setWorkingDirectory(Path folder) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Path getWorkingDirectory() {
    return new Path("lying:///");
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    Files.createDirectories(local(path));
    return true;
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    if (!Files.exists(local(path))) {
      throw new FileNotFoundException(path.toString());
    }
    return status(path);
  }

  private FileStatus status(Path path) {
    java.io.File entry = local(path).toFile();
    return new FileStatus(
        entry.length(), entry.isDirectory(), 1, 1 << 20, entry.lastModified(), makeQualified(path));
  }

  private final class Reader extends FSInputStream {
    private final RandomAccessFile in;
    private final boolean lies;

    Reader(java.nio.file.Path local, boolean lies) throws IOException {
      this.in = new RandomAccessFile(local.toFile(), "r");
      this.lies = lies;
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return in.getFilePointer();
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
      long position = in.getFilePointer();
      int n = in.read(bytes, offset, count);
      if (lies && n > 0) {
        flip(bytes, offset, n, position);
      }
      return n;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  private final class Writer extends FilterOutputStream {
    private final boolean lies;
    private long position;

    Writer(OutputStream out, boolean lies) {
      super(out);
      this.lies = lies;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      byte[] copy = java.util.Arrays.copyOfRange(bytes, offset, offset + count);
      if (lies) {
        flip(copy, 0, count, position);
      }
      position += count;
      out.write(copy);
    }
  }
}
