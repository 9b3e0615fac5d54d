package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.publish.storage.ReplacedFile;

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

  public Path path() {
    return path;
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
    new ReplacedFile(path, conf).write(sums.text().getBytes(StandardCharsets.UTF_8));
  }
}
