package org.saevhadoop.jobs.digest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.InputBytes;

/**
 * Parses files of SHA-256 sums. As in GNU coreutils, a line may end with CR LF. A byte order mark
 * may precede the first line.
 */
final class SumsParser {
  private static final Pattern LINE =
      Pattern.compile("(\\\\?)([0-9a-fA-F]{64}) [ *](.+)", Pattern.DOTALL);

  /**
   * The maximum length of a line: a path has at most 8000 characters on HDFS, and fewer on common
   * local file systems.
   */
  private static final int MAX_LINE = 1 << 16;

  /**
   * The maximum number of files: one for each data file, document and sidecar of the largest
   * dataset.
   */
  private static final int MAX_FILES = 3_000_000;

  private static final String BYTE_ORDER_MARK = "\ufeff";
  private static final int UTF16_LITTLE = 0xfffe;
  private static final int UTF16_BIG = 0xfeff;

  private static final String EXPECTED_LINE = "a SHA-256 and the name of a file";

  private final String path;
  private final SortedMap<String, String> sums = new TreeMap<>();
  private @Nullable String digest;
  private String folder = "";
  private long number;

  private SumsParser(String path) {
    this.path = path;
  }

  /**
   * Reads a file.
   *
   * @throws FormatException if the file does not consist of the SHA-256 sums of the files of one
   *     folder
   */
  static SumsFile read(Input in) throws IOException {
    SumsParser parser = new SumsParser(in.path());
    checkEncoding(in);
    try (Reader text =
        new BufferedReader(
            new InputStreamReader(new InputBytes(in), StandardCharsets.UTF_8.newDecoder()))) {
      return parser.parse(text);
    } catch (CharacterCodingException e) {
      throw parser.malformed().causedBy(e);
    }
  }

  /**
   * Refuses UTF-16, which some Windows programs write, and which other checks would report as one
   * malformed line.
   */
  private static void checkEncoding(Input in) throws IOException {
    if (in.length() >= Short.BYTES) {
      ByteBuffer head = ByteBuffer.allocate(Short.BYTES);
      in.readFully(0, head);
      int mark = Short.toUnsignedInt(head.getShort(0));
      DigestError.BAD_SUMS.check(
          mark != UTF16_LITTLE && mark != UTF16_BIG,
          in.path(),
          "is UTF-16, at line 1 (expected UTF-8)");
    }
  }

  private SumsFile parse(Reader text) throws IOException {
    for (String line = next(text); line != null; line = next(text)) {
      if (line.startsWith(BYTE_ORDER_MARK)) {
        DigestError.BAD_SUMS.check(
            number == 1,
            path,
            "has a byte order mark, at line %d (expected none after the first line)",
            number);
        line = line.substring(BYTE_ORDER_MARK.length());
      }
      if (line.startsWith(SumsFile.COMMENT)) {
        comment(line.substring(SumsFile.COMMENT.length()).strip());
      } else {
        add(line);
      }
    }
    DigestError.BAD_SUMS.check(
        !sums.isEmpty(), path, "contains no checksums (expected one for each file of a dataset)");
    return new SumsFile(digest, folder, sums);
  }

  /** Returns the next line without its end; null at the end of the file. */
  private @Nullable String next(Reader text) throws IOException {
    int c = text.read();
    if (c < 0) {
      return null;
    }
    number++;
    StringBuilder line = new StringBuilder();
    for (; c >= 0 && c != '\n'; c = text.read()) {
      if (line.length() == MAX_LINE) {
        throw malformed();
      }
      line.append((char) c);
    }
    int last = line.length() - 1;
    if (last >= 0 && line.charAt(last) == '\r') { // part of a name only if escaped
      line.setLength(last);
    }
    return line.toString();
  }

  private void comment(String text) throws FormatException {
    if (text.startsWith(DatasetDigest.PREFIX)) {
      digest = DatasetDigest.line(text).orElse(null);
      DigestError.BAD_SUMS.check(
          digest != null,
          path,
          "has a malformed digest, at line %d (expected %s)",
          number,
          DatasetDigest.EXPECTED);
    }
  }

  private void add(String line) throws FormatException {
    Matcher found = LINE.matcher(line);
    if (!found.matches()) {
      throw malformed();
    }
    String name = found.group(1).isEmpty() ? found.group(3) : unescape(found.group(3));
    int cut = name.lastIndexOf('/') + 1;
    folder = sums.isEmpty() ? name.substring(0, cut) : folder;
    DigestError.BAD_SUMS.check(
        cut < name.length() && folder.equals(name.substring(0, cut)),
        path,
        "names `%s`, at line %d (expected files of one folder)",
        name,
        number);
    DigestError.BAD_SUMS.check(
        sums.put(name.substring(cut), found.group(2).toLowerCase(Locale.ROOT)) == null,
        path,
        "names `%s` twice, at line %d (expected each file once)",
        name,
        number);
    DigestError.BAD_SUMS.check(
        sums.size() <= MAX_FILES,
        path,
        "contains too many checksums, at line %d (expected at most %d)",
        number,
        MAX_FILES);
  }

  private String unescape(String text) throws FormatException {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
        int code = i < text.length() ? "\\nr".indexOf(text.charAt(i)) : -1;
        if (code < 0) {
          throw malformed();
        }
        c = "\\\n\r".charAt(code);
      }
      name.append(c);
    }
    return name.toString();
  }

  private FormatException malformed() {
    return DigestError.BAD_SUMS.in(
        path,
        "is not a checksum file, at line %d (expected %s)",
        Math.max(1, number),
        EXPECTED_LINE);
  }
}
