package org.saevhadoop.format.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.io.Storage;

/**
 * A path on the local disk.
 *
 * @param path the absolute path
 */
public record LocalPath(Path path) implements StoragePath {
  private static final String SCHEME = "file";

  /** The names of files that Hadoop hides because they contain the checksums of local files. */
  private static final Pattern CHECKSUM = Pattern.compile("\\..*\\.crc", Pattern.DOTALL);

  private static final Pattern KIBIBYTES = Pattern.compile("(\\d{1,15})\\s.*", Pattern.DOTALL);
  private static final Pattern URI =
      Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):(/.*)", Pattern.DOTALL);
  private static final Pattern HOME = Pattern.compile("~[\\w.-]*(/.*)?", Pattern.DOTALL);
  private static final Pattern VARIABLE = Pattern.compile("\\$[\\w{].*", Pattern.DOTALL);
  private static final Pattern WINDOWS = Pattern.compile("([a-zA-Z]):(\\\\.*)", Pattern.DOTALL);
  private static final Pattern REMOTE = Pattern.compile("[\\w.-]+@[\\w.-]+:.*", Pattern.DOTALL);
  private static final String PARENT = "..";

  /**
   * Returns the local path that a string denotes; empty if the string is a path of another file
   * system.
   *
   * @param isDefault whether the default file system is the local disk
   * @throws FormatException if the string cannot be a path
   */
  public static Optional<LocalPath> parse(String text, boolean isDefault) throws IOException {
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
      if (uri.matches() && uri.group(1).equalsIgnoreCase(SCHEME)) {
        return Optional.of(at(uri.group(2).replaceFirst("^//(localhost)?/", "/")));
      }
      return uri.matches() || !isDefault ? Optional.empty() : Optional.of(at(text));
    } catch (InvalidPathException e) {
      throw FileError.BAD_PATH
          .in(
              shown,
              "cannot be a local path: %s (expected characters of the locale's encoding)",
              e.getReason())
          .causedBy(e);
    }
  }

  /**
   * Rejects paths that a shell would have expanded, and paths of other machines: a new dataset must
   * not be called {@code ~}.
   */
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
    FileError.BAD_PATH.check(
        !VARIABLE.matcher(text).matches(),
        Quote.show(text),
        "has a variable that the shell has not replaced (expected it without single quotes, or"
            + " ./%s if that is its name)",
        text);
    FileError.BAD_PATH.check(
        !REMOTE.matcher(text).matches(),
        Quote.show(text),
        "is a path on another machine (expected a copy, by scp -r or rsync -a, or ./%s if that is"
            + " its name)",
        text);
    Matcher windows = WINDOWS.matcher(text);
    FileError.BAD_PATH.check(
        !windows.matches(),
        Quote.show(text),
        "is a Windows path (expected %s, or ./%s if that is its name)",
        windows.matches() ? posix(windows.group(1), windows.group(2)) : "",
        text);
  }

  /** Returns the path under which WSL shows a Windows path. */
  private static String posix(String drive, String path) {
    return "/mnt/" + drive.toLowerCase(Locale.ROOT) + path.replace('\\', '/');
  }

  /**
   * Resolves {@code ..} as the operating system does: relative to the target of a preceding
   * symbolic link.
   */
  private static LocalPath at(String text) throws IOException {
    Path given = Paths.get(text).toAbsolutePath();
    Path path = given.getRoot();
    for (Path name : given) {
      if (name.toString().equals(PARENT)) {
        FileError.NOT_FOUND.check(
            Files.isDirectory(path), Quote.show(text), "%s is not a directory", path);
        Path real = path.toRealPath();
        path = real.getParent() == null ? real : real.getParent();
      } else if (!name.toString().equals(".")) {
        path = path.resolve(name);
      }
    }
    return new LocalPath(path);
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public String shown() {
    return path.toString();
  }

  @Override
  public String qualified() {
    return SCHEME + ":" + path;
  }

  @Override
  public String toString() {
    return qualified();
  }

  @Override
  public StoragePath parse(String qualified) {
    return new LocalPath(Path.of(qualified.substring(SCHEME.length() + 1)));
  }

  @Override
  public boolean contains(StoragePath other) {
    return other instanceof LocalPath inner && inner.path.startsWith(path);
  }

  @Override
  public String name() {
    return path.getFileName() == null ? "" : path.getFileName().toString();
  }

  @Override
  public @Nullable StoragePath parent() {
    return path.getParent() == null ? null : new LocalPath(path.getParent());
  }

  @Override
  public StoragePath child(String name) {
    return new LocalPath(path.resolve(name));
  }

  @Override
  public Kind kind() {
    return Files.isDirectory(path) ? Kind.FOLDER : Files.exists(path) ? Kind.FILE : Kind.MISSING;
  }

  @Override
  public List<String> names(int limit) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      Iterator<Path> entry = entries.iterator();
      while (names.size() < limit && entry.hasNext()) {
        String name = entry.next().getFileName().toString();
        if (!CHECKSUM.matcher(name).matches()) {
          names.add(name);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    names.sort(null);
    return names;
  }

  @Override
  public Folder folder(boolean forced, boolean compared) {
    return forced ? LocalFolder.forced(path) : new LocalFolder(path);
  }

  @Override
  public Storage storage() {
    return text -> parse(text, true).orElseThrow().locate();
  }

  /** {@inheritDoc} One system call is needed for each file. */
  @Override
  public void visitFiles(int depth, FileVisitor visitor) throws IOException {
    SimpleFileVisitor<Path> walk =
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (!attributes.isDirectory()) {
              visitor.visit(file, attributes.size(), attributes.lastModifiedTime().toMillis());
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            visitor.visit(file, 0, 0); // for example, a link to an enclosing folder
            return FileVisitResult.CONTINUE;
          }
        };
    Files.walkFileTree(path, EnumSet.of(FileVisitOption.FOLLOW_LINKS), depth, walk);
  }

  @Override
  public OptionalLong bytesOnDisk() throws IOException {
    String real = path.toFile().getCanonicalPath();
    Process du;
    try {
      du =
          new ProcessBuilder("du", "-sk", real)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      return OptionalLong.empty(); // no such program
    }
    du.getOutputStream().close();
    Matcher used =
        KIBIBYTES.matcher(
            new String(du.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
    boolean isWhole = du.onExit().join().exitValue() == 0; // 1 if a folder cannot be read
    long bytes = isWhole && used.matches() ? Long.parseLong(used.group(1)) << 10 : 0;
    return bytes > 0 ? OptionalLong.of(bytes) : OptionalLong.empty();
  }

  @Override
  public OptionalLong freeBytes() throws IOException {
    try {
      return OptionalLong.of(Files.getFileStore(path).getUsableSpace());
    } catch (IOException e) {
      // the root of a chroot is not in the table of mounts, which this system call does not need
      long usable = path.toFile().getUsableSpace();
      return usable > 0 ? OptionalLong.of(usable) : OptionalLong.empty();
    }
  }

  @Override
  public void refuseUnfinished(Location location) {
    // no run writes in place on storages with a cheap rename
  }
}
