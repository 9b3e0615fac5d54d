package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Paths;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/**
 * Paths as users write them. A text that begins with a scheme and {@code :/} is a URI of Hadoop, in
 * which {@code %} has no special meaning; any other text is a path of the default file system, in
 * which no character has a special meaning except {@code /}. {@code Path} itself would take a colon
 * for the end of a scheme and would remove {@code ..} from a local path by its text, which is
 * another path if the component before it is a symbolic link.
 */
public final class PathArgument {
  private static final Pattern URI =
      Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):(/.*)", Pattern.DOTALL);
  private static final Pattern AUTHORITY = Pattern.compile("//([^/]*)(/.*)?", Pattern.DOTALL);
  private static final Pattern HOME = Pattern.compile("~[\\w.-]*(/.*)?", Pattern.DOTALL);
  private static final Pattern WINDOWS = Pattern.compile("([a-zA-Z]):(\\\\.*)", Pattern.DOTALL);
  private static final String LOCAL = "file";
  private static final String PARENT = "..";

  private PathArgument() {}

  /**
   * Returns the absolute path that a text means, with its file system.
   *
   * @throws FormatException if the text cannot be a path
   */
  public static Path parse(String text, Configuration conf) throws IOException {
    Path path = unqualified(text, conf);
    return path.getFileSystem(conf).makeQualified(path);
  }

  /**
   * Returns the path that a text means, without use of its file system: a path without scheme is
   * one of the default file system.
   *
   * @throws FormatException if the text cannot be a path
   */
  public static Path unqualified(String text, Configuration conf) throws IOException {
    boolean isLocal = LOCAL.equals(FileSystem.getDefaultUri(conf).getScheme());
    Optional<java.nio.file.Path> local = local(text, isLocal);
    try {
      if (local.isPresent()) {
        return new Path(LOCAL, null, local.get().toString());
      }
      Matcher uri = URI.matcher(text);
      return uri.matches() ? remote(uri.group(1), uri.group(2)) : new Path(null, null, text);
    } catch (IllegalArgumentException e) {
      throw FileError.BAD_PATH
          .in(Quote.show(text), "cannot be a path: %s", String.valueOf(e.getMessage()))
          .causedBy(e);
    }
  }

  /**
   * Returns the local path that a text means; empty if it is a path of another file system.
   *
   * @param isDefault whether the default file system is the local disk
   * @throws FormatException if the text cannot be a path
   */
  static Optional<java.nio.file.Path> local(String text, boolean isDefault) throws IOException {
    String shown = Quote.show(text);
    FileError.BAD_PATH.check(
        !text.isEmpty(), "''", "an empty path (expected the path of a dataset)");
    FileError.BAD_PATH.check(
        text.indexOf('\ufffd') < 0,
        shown,
        "contains bytes that are not characters of the locale's encoding (expected a UTF-8 locale"
            + " and a name in UTF-8)");
    try {
      if (!isDefault || !Files.exists(Paths.get(text.split("/", 2)[0]))) {
        checkExpanded(text, isDefault);
      }
      Matcher uri = URI.matcher(text);
      if (uri.matches() && uri.group(1).equalsIgnoreCase(LOCAL)) {
        return Optional.of(resolve(uri.group(2).replaceFirst("^//(localhost)?/", "/")));
      }
      return uri.matches() || !isDefault ? Optional.empty() : Optional.of(resolve(text));
    } catch (InvalidPathException e) {
      throw FileError.BAD_PATH
          .in(
              shown,
              "cannot be a local path: %s (expected characters of the locale's encoding)",
              e.getReason())
          .causedBy(e);
    }
  }

  /** Refuses what a shell should have replaced, as a new dataset must not be called {@code ~}. */
  private static void checkExpanded(String text, boolean isLocal) throws FormatException {
    Matcher home = HOME.matcher(text);
    if (home.matches()) {
      String rest = home.group(1) == null ? "" : home.group(1);
      boolean isOwn = isLocal && (text + "/").startsWith("~/");
      throw FileError.BAD_PATH.in(
          Quote.show(text),
          "begins with ~, which the shell has not replaced (expected %s, or ./%s if that is its name)",
          isOwn ? System.getProperty("user.home") + rest : "the path of the home directory",
          text);
    }
    Matcher windows = WINDOWS.matcher(text);
    FileError.BAD_PATH.check(
        !windows.matches(),
        Quote.show(text),
        "is a path of Windows (expected %s, or ./%s if that is its name)",
        windows.matches() ? posix(windows.group(1), windows.group(2)) : "",
        text);
  }

  /** Returns a path of Windows as WSL names it. */
  private static String posix(String drive, String path) {
    return "/mnt/" + drive.toLowerCase(Locale.ROOT) + path.replace('\\', '/');
  }

  private static Path remote(String scheme, String rest) {
    Matcher named = AUTHORITY.matcher(rest);
    return named.matches()
        ? new Path(scheme, named.group(1), named.group(2) == null ? "/" : named.group(2))
        : new Path(scheme, null, rest);
  }

  /** Resolves {@code ..} as the system does: against the target of a symbolic link before it. */
  private static java.nio.file.Path resolve(String text) throws IOException {
    java.nio.file.Path given = Paths.get(text).toAbsolutePath();
    java.nio.file.Path path = given.getRoot();
    for (java.nio.file.Path name : given) {
      if (name.toString().equals(PARENT)) {
        FileError.NOT_FOUND.check(
            Files.isDirectory(path), Quote.show(text), "%s is not a directory", path);
        java.nio.file.Path real = path.toRealPath();
        path = real.getParent() == null ? real : real.getParent();
      } else if (!name.toString().equals(".")) {
        path = path.resolve(name);
      }
    }
    return path;
  }

  /**
   * Checks that a dataset can be written to a path, as far as its text shows.
   *
   * @throws FormatException if the path is the root of a file system, or its display on one line
   *     would differ from the path
   */
  public static void checkWritable(Path path) throws FormatException {
    String text = HadoopStorage.show(path);
    FileError.BAD_PATH.check(
        !path.isRoot(), text, "is the root of a file system (expected the path of a dataset)");
    FileError.BAD_PATH.check(
        Quote.show(text).equals(text),
        Quote.show(text),
        "contains control characters (expected a path that can be displayed on one line)");
  }

  /** Returns the path of an entry of a folder. Its name may contain a colon. */
  public static Path child(Path folder, String name) {
    return new Path(folder, new Path(null, null, name));
  }

  /** Returns the root of the file system of a path. */
  public static Path root(Path path) {
    return new Path(path.toUri().getScheme(), path.toUri().getAuthority(), "/");
  }
}
