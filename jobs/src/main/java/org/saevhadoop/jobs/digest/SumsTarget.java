package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.io.WriteFailure;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.QuotaFailure;

/**
 * The path at which a sums file is written. The file is written under another name beside it,
 * forced to the disk, and renamed, so that the path names the old file or the new one.
 */
public final class SumsTarget {
  private final Path path;
  private final FileSystem fs;
  private final Configuration conf;

  public SumsTarget(Path path, Configuration conf) throws IOException {
    this.fs = path.getFileSystem(conf);
    this.path = fs.makeQualified(path);
    this.conf = conf;
  }

  /** Returns the path beside a dataset. */
  public static SumsTarget beside(Path dataset, Configuration conf) throws IOException {
    Path qualified = dataset.getFileSystem(conf).makeQualified(dataset);
    FileError.NOT_A_FILE.check(
        qualified.getParent() != null,
        HadoopStorage.show(qualified, conf),
        "has nothing beside it (expected --save=FILE)");
    return new SumsTarget(
        PathArgument.child(qualified.getParent(), qualified.getName() + SumsFile.SUFFIX), conf);
  }

  /**
   * Checks that the path is free, or names a sums file with a digest.
   *
   * @throws FormatException if it names anything else
   */
  public void check() throws IOException {
    if (!fs.exists(path)) {
      return;
    }
    String shown = HadoopStorage.show(path, conf);
    Location location = new HadoopStorage(conf).locate(path);
    FileError.NOT_REPLACEABLE.check(
        location.isFile(),
        shown,
        "is not a file (expected a file of sums, or another --save=FILE)");
    String digest;
    try (Input in = location.folder().open(location.file())) {
      digest = SumsParser.read(in).digest();
    } catch (FormatException e) {
      if (e.kind() != DigestError.BAD_SUMS) {
        throw e;
      }
      throw notOurs(shown).causedBy(e);
    }
    if (digest == null) {
      throw notOurs(shown);
    }
  }

  private static FormatException notOurs(String shown) {
    return FileError.NOT_REPLACEABLE.in(
        shown,
        "was not written by digest --save (expected a file of sums, or another --save=FILE)");
  }

  /**
   * Writes the file.
   *
   * @throws FormatException if the path names anything but a sums file with a digest
   */
  public void write(SumsFile sums) throws IOException {
    check();
    ByteBuffer text = ByteBuffer.wrap(sums.text().getBytes(StandardCharsets.UTF_8));
    String temporary = "." + UUID.randomUUID() + SumsFile.SUFFIX;
    if (HadoopFolder.isLocal(fs)) {
      writeLocally(Paths.get(path.toUri().getPath()), temporary, text);
      return;
    }
    try {
      write(new Path(path.getParent(), temporary), text);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Returns an error that names the sums file, if the storage is full; any other as it is. */
  private IOException failure(IOException e) throws IOException {
    String shown = HadoopStorage.show(path, conf);
    return WriteFailure.isFull(e)
        ? FileError.NO_SPACE
            .in(shown, "cannot be written: %s", Quote.show(e.getMessage()))
            .causedBy(e)
        : QuotaFailure.of(shown, e);
  }

  private static void writeLocally(java.nio.file.Path file, String temporary, ByteBuffer text)
      throws IOException {
    java.nio.file.Path unfinished = file.resolveSibling(temporary);
    try {
      try (FileChannel out =
          FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        while (text.hasRemaining()) {
          out.write(text);
        }
        out.force(true);
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel folder = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
        folder.force(true);
      }
    } catch (NoSuchFileException e) {
      throw FileError.NOT_FOUND
          .in(file.toString(), "cannot be written: its directory does not exist")
          .causedBy(e);
    } catch (IOException e) {
      throw WriteFailure.of(file, "be written", e);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private void write(Path unfinished, ByteBuffer text) throws IOException {
    try {
      try (FSDataOutputStream out = fs.create(unfinished, false)) {
        out.write(text.array(), text.position(), text.remaining());
        out.hsync();
      }
      rename(unfinished);
    } finally {
      fs.delete(unfinished, false);
    }
  }

  private void rename(Path unfinished) throws IOException {
    FileContext files;
    try {
      files = FileContext.getFileContext(path.toUri(), conf);
    } catch (UnsupportedFileSystemException e) {
      // without FileContext, no rename replaces a file
      fs.delete(path, false);
      if (!fs.rename(unfinished, path)) {
        throw new IOException(unfinished + ": cannot be renamed to " + path, e);
      }
      return;
    }
    files.rename(unfinished, path, Options.Rename.OVERWRITE);
  }
}
