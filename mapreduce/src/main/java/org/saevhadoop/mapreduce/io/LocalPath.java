package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;

/** A path on the local disk. */
record LocalPath(Path path) implements SourcePath {
  private static final String SCHEME = "file";

  /** Files that Hadoop hides: the checksums that it writes beside local files. */
  private static final Pattern CHECKSUM = Pattern.compile("\\..*\\.crc", Pattern.DOTALL);

  private static final Pattern KIBIBYTES = Pattern.compile("(\\d{1,15})\\s.*", Pattern.DOTALL);

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public String shown() {
    return path.toString();
  }

  @Override
  public org.apache.hadoop.fs.Path hadoop() {
    return new org.apache.hadoop.fs.Path(SCHEME, null, path.toString());
  }

  @Override
  public String qualified() {
    return SCHEME + ":" + path;
  }

  @Override
  public String name() {
    return path.getFileName() == null ? "" : path.getFileName().toString();
  }

  @Override
  public @Nullable SourcePath parent() {
    return path.getParent() == null ? null : new LocalPath(path.getParent());
  }

  @Override
  public SourcePath child(String name) {
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
  public Folder folder() {
    return new LocalFolder(path);
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
  public void refuseUnfinished(Location location) {
    // no run writes in place where a rename is cheap
  }
}
