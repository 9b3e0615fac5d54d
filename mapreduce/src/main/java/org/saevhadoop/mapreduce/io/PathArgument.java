package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.storage.LocalPath;

/**
 * Paths in the form in which users write them. A string that begins with a scheme and {@code :/} is
 * a Hadoop URI, in which {@code %} has no special meaning; any other string is a path in the
 * default file system, in which no character has a special meaning except {@code /}. {@code Path}
 * itself would interpret a colon as the end of a scheme and remove {@code ..} from a local path
 * lexically, which results in another path if the component before it is a symbolic link.
 */
public final class PathArgument {
  private static final Pattern URI =
      Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):(/.*)", Pattern.DOTALL);
  private static final Pattern AUTHORITY = Pattern.compile("//([^/]*)(/.*)?", Pattern.DOTALL);
  private static final String LOCAL = "file";
  private static final String HDFS = "hdfs";

  private PathArgument() {}

  /**
   * Returns the absolute path that a string denotes, with its file system.
   *
   * @throws FormatException if the string cannot be a path
   */
  public static Path parse(String text, Configuration conf) throws IOException {
    Path path = unqualified(text, conf);
    return path.getFileSystem(conf).makeQualified(path);
  }

  /**
   * Returns the path that a string denotes, without contacting its file system: a path without a
   * scheme is in the default file system.
   *
   * @throws FormatException if the string cannot be a path
   */
  public static Path unqualified(String text, Configuration conf) throws IOException {
    boolean isLocal = LOCAL.equals(FileSystem.getDefaultUri(conf).getScheme());
    Optional<LocalPath> local = LocalPath.parse(text, isLocal);
    try {
      if (local.isPresent()) {
        return HadoopPath.hadoop(local.get());
      }
      Matcher uri = URI.matcher(text);
      Path path = uri.matches() ? remote(uri.group(1), uri.group(2)) : new Path(null, null, text);
      checkHost(text, path.toUri(), FileSystem.getDefaultUri(conf));
      return path;
    } catch (IllegalArgumentException e) {
      throw FileError.BAD_PATH
          .in(Quote.show(text), "cannot be a path: %s", String.valueOf(e.getMessage()))
          .causedBy(e);
    }
  }

  /** Checks that an HDFS path has a host, unless the default file system provides it. */
  private static void checkHost(String text, java.net.URI path, java.net.URI defaultUri)
      throws FormatException {
    FileError.BAD_PATH.check(
        !HDFS.equals(path.getScheme())
            || path.getAuthority() != null
            || HDFS.equals(defaultUri.getScheme()),
        Quote.show(text),
        "names no NameNode, and fs.defaultFS is %s (expected hdfs://HOST:PORT/..., or the folder"
            + " with the cluster configuration in HADOOP_CONF_DIR)",
        defaultUri);
  }

  private static Path remote(String scheme, String rest) {
    Matcher named = AUTHORITY.matcher(rest);
    return named.matches()
        ? new Path(scheme, named.group(1), named.group(2) == null ? "/" : named.group(2))
        : new Path(scheme, null, rest);
  }

  /** Returns the path of an entry of a folder. The name of the entry may contain a colon. */
  public static Path child(Path folder, String name) {
    return new Path(folder, new Path(null, null, name));
  }

  /** Returns the root of the file system of a path. */
  public static Path root(Path path) {
    return new Path(path.toUri().getScheme(), path.toUri().getAuthority(), "/");
  }
}
