package org.saevhadoop.format.kind;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.saevhadoop.format.io.Input;

/**
 * Kinds of files that can be mistaken for datasets, detected by their first bytes and, in a folder,
 * by their name endings. The patterns are longer than the magic numbers of those formats, because a
 * safetensors file begins with the length of its header: two or three arbitrary bytes followed by
 * zeros. The first kind whose pattern matches is chosen.
 */
public enum FileKind {
  /** The ZIP form of torch.save, whose entries are in one folder. */
  TORCH(
      "a torch file",
      zipEntry("[^/\0]+/(data\\.pkl|data/|constants\\.pkl|code/|version|byteorder|\\.)"),
      "pt pth ckpt"),
  /** numpy.savez: a ZIP archive with an array in each entry. */
  NUMPY_ARCHIVE("a numpy archive", zipEntry("[^\0]{1,255}?\\.npy"), "npz"),
  ZIP("a ZIP archive", "PK\\x03\\x04", "zip"),
  /** The older form of torch.save: a sequence of pickles that begins with this number. */
  TORCH_LEGACY(
      "a torch file in the legacy form",
      "\\x80\\x02\\x8a\\x0a\\x6c\\xfc\\x9c\\x46\\xf9\\x20\\x6a\\xa8\\x50\\x19",
      ""),
  PICKLE("a Python pickle", "\\x80[\\x02-\\x05][^\\x00]", ""),
  NUMPY("a numpy array", "\\x93NUMPY", "npy"),
  HDF5("an HDF5 file", "\\x89HDF\\r\\n", "h5 hdf5"),
  PARQUET("a Parquet file", "PAR1", "parquet"),
  /**
   * An Arrow file, an Arrow stream (the continuation marker before the first message), or Feather
   * V1.
   */
  ARROW("an Arrow file", "ARROW1|FEA1|\\xff{4}.{3}\\x00", "arrow feather"),
  GGUF("a GGUF model", "GGUF[\\x01-\\x09]", "gguf"),
  TAR("a tar archive", "[^\\x00].{256}ustar", "tar tar.gz tgz"),
  LFS("a git-LFS pointer to a file that has not been fetched", "version https://git-lfs", ""),
  HTML("a web page, such as an error page", "(?i)\\s*<(!doctype|html|\\?xml)", ""),
  JSON("a JSON document", "\\s*(\\{\\s*\"|\\[\\s*[\\[{\"\\d])[^\\x00]", ""),
  GZIP("a gzip file", "\\x1f\\x8b\\x08", ""),
  TEXT("a text file", "[\\t\\n\\f\\r\\x20-\\x7e\\x80-\\xf4]+\\z", "");

  /** Number of leading bytes that the patterns need. */
  private static final int BYTES = 512;

  /** Number of compressed bytes that always suffice for {@link #BYTES} bytes of content. */
  private static final int COMPRESSED_BYTES = 4096;

  private final String what;
  private final Pattern start;
  private final List<String> endings;

  FileKind(String what, String start, String endings) {
    this.what = what;
    this.start = Pattern.compile(start, Pattern.DOTALL);
    this.endings = Stream.of(endings.split(" ")).filter(ending -> !ending.isEmpty()).toList();
  }

  /** Returns a pattern for the name of the first entry (APPNOTE.TXT 6.3.10, 4.3.7). */
  private static String zipEntry(String name) {
    return "PK\\x03\\x04.{26}" + name;
  }

  /** Returns the kind of a file in a folder according to the ending of its name. */
  static Optional<FileKind> named(String file) {
    return Stream.of(values()).filter(kind -> kind.ending(file).isPresent()).findFirst();
  }

  /** Returns the ending of this kind that a name has, without the period. */
  Optional<String> ending(String file) {
    return endings.stream().filter(ending -> file.endsWith("." + ending)).findFirst();
  }

  /** Returns the name in the plural, such as {@code numpy arrays}. */
  String plural() {
    return what.substring(what.indexOf(' ') + 1) + "s";
  }

  /**
   * Returns the problem with a file that has no known format, such as {@code is a numpy archive,
   * which is not read}; empty if that is unknown.
   */
  public static Optional<String> problem(Input file) throws IOException {
    if (file.length() == 0) {
      return Optional.of("is empty");
    }
    byte[] first = first(file);
    String rewriting =
        of(first)
            .filter(HDF5::equals)
            .map(kind -> rewriting("h5py", "h5py.File('%s')['NAME'][:]", file.path()))
            .orElse("");
    return describe(first).map(what -> "is %s, which is not read%s".formatted(what, rewriting));
  }

  /**
   * Returns a hint with the command that writes an array as .npy.
   *
   * @param module the Python module that reads the file or the folder
   * @param array the expression that reads the array NAME
   */
  static String rewriting(String module, String array, String path) {
    String shown = path.matches("[^'\"\\\\$`]*") ? path : "PATH";
    return "; python3 -c \"import %s, numpy; numpy.save('NAME.npy', %s)\" writes its array NAME as .npy"
        .formatted(module, array.formatted(shown));
  }

  /** Returns the kind of a file; empty if that is unknown. */
  public static Optional<FileKind> of(Input file) throws IOException {
    return of(first(file));
  }

  private static byte[] first(Input file) throws IOException {
    ByteBuffer first = ByteBuffer.allocate((int) Math.min(COMPRESSED_BYTES, file.length()));
    file.readFully(0, first);
    return first.array();
  }

  private static Optional<String> describe(byte[] first) {
    Optional<FileKind> kind = of(first);
    if (kind.isPresent() && kind.get() == GZIP) {
      Optional<FileKind> content = of(uncompressed(first));
      return Optional.of(content.map(of -> of.what + " in gzip").orElse(GZIP.what));
    }
    return kind.map(of -> of.what);
  }

  private static Optional<FileKind> of(byte[] first) {
    int length = Math.min(first.length, BYTES);
    String text = new String(first, 0, length, StandardCharsets.ISO_8859_1);
    return Stream.of(values()).filter(kind -> kind.start.matcher(text).lookingAt()).findFirst();
  }

  /** Returns the decompressed beginning of a gzip file, as far as it can be decoded. */
  private static byte[] uncompressed(byte[] first) {
    byte[] content = new byte[BYTES];
    int length = 0;
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(first))) {
      int n;
      while ((n = in.read(content, length, BYTES - length)) > 0) {
        length += n;
      }
    } catch (IOException e) {
      // only the beginning of the file was read, or the file is damaged
    }
    return Arrays.copyOf(content, length);
  }

  /** Returns a hint to append to an error message; empty if the kind is unknown. */
  public static String hint(Input file) throws IOException {
    return hint(first(file));
  }

  /** Returns a hint for a file that begins with the given bytes. */
  public static String hint(byte[] first) {
    return describe(first).map(what -> "; it looks like " + what).orElse("");
  }
}
