package org.saevhadoop.format.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.json.PackageVersion;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Quote;

/**
 * Shared access to Jackson: mappers, factories, positions in text, and errors as messages of this
 * project. All methods work with Jackson 2.12, the version in Hadoop 3.4, and with later versions.
 */
public final class Jackson {
  /** Reads and writes documents of this program, within Jackson's default limits. */
  public static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Reads text of any length, and writes ASCII only: a job's configuration is stored as XML, which
   * cannot hold some characters (XML 1.0, section 2.2).
   */
  public static final ObjectMapper SETTINGS =
      new ObjectMapper(unlimited().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build());

  private static final int LIMITS_SINCE = 15;
  private static final int NAME_LIMIT_SINCE = 16;
  private static final int MAX_ERROR_LENGTH = 200;

  /** Part of an error message that quotes the document or names the class of the input. */
  private static final String START_OF_VALUE = " \\((start marker|for \\w+ starting) at .*";

  /** Part of an error message that names the setting of a limit. */
  private static final String NAME_OF_LIMIT = ", from `[^`]*`";

  private Jackson() {}

  /**
   * Returns a builder of factories without limits, for readers with limits of their own and for
   * text that the program wrote. By default, Jackson has rejected long strings, long numbers and
   * deep nesting since version 2.15, and long names since version 2.16; older versions have no
   * limits.
   */
  public static JsonFactoryBuilder unlimited() {
    JsonFactoryBuilder builder = limited();
    int minor = PackageVersion.VERSION.getMinorVersion();
    return minor < LIMITS_SINCE ? builder : LiftedLimits.of(builder, minor >= NAME_LIMIT_SINCE);
  }

  /** Returns a builder of factories with the default limits of the installed version of Jackson. */
  public static JsonFactoryBuilder limited() {
    return new JsonFactoryBuilder();
  }

  /** A separate class, loaded only if Jackson has the class that it refers to. */
  private static final class LiftedLimits {
    static JsonFactoryBuilder of(JsonFactoryBuilder builder, boolean names) {
      StreamReadConstraints.Builder limits =
          StreamReadConstraints.builder()
              .maxStringLength(Integer.MAX_VALUE)
              .maxNumberLength(Integer.MAX_VALUE)
              .maxNestingDepth(Integer.MAX_VALUE);
      if (names) {
        limits.maxNameLength(Integer.MAX_VALUE);
      }
      return builder.streamReadConstraints(limits.build());
    }
  }

  /**
   * Returns a factory whose parsers do not cache names. The cache is designed for documents that
   * repeat a few names; with other documents, it only grows, and it fails when too many names
   * collide.
   */
  public static JsonFactory withoutNameTable(JsonFactoryBuilder builder) {
    return builder
        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .build();
  }

  /** Writes a document of this program, which can be read with {@link #read}. */
  public static void write(Folder folder, String name, Object document) throws IOException {
    try (Output out = folder.create(name)) {
      out.write(ByteBuffer.wrap(SETTINGS.writeValueAsBytes(document)));
    }
  }

  /** Reads a document that {@link #write} wrote. */
  public static <T> T read(Folder folder, String name, Class<T> type) throws IOException {
    byte[] document = folder.readSmall(name, Integer.MAX_VALUE);
    try {
      return SETTINGS.readValue(document, type);
    } catch (JsonProcessingException e) {
      throw FileError.DAMAGED
          .in(folder.path(name), "is not a list of entries (expected JSON that this program wrote)")
          .causedBy(e);
    }
  }

  public interface Source<P> {
    P open() throws IOException;
  }

  /** Reads the fields of an object, after its opening brace and up to its closing one. */
  public interface Body<P, T> {
    T read(P json) throws IOException;
  }

  /**
   * Reads a document that is one object.
   *
   * @param kind the kind of error if the document is anything else
   * @param path the path of the document for error messages
   */
  public static <P extends JsonParser, T> T readObject(
      ErrorKind kind, String path, Source<P> document, Body<P, T> body) throws IOException {
    try (P json = document.open()) {
      kind.check(json.nextToken() == JsonToken.START_OBJECT, path, "is not a JSON object");
      T read = body.read(json);
      kind.check(json.nextToken() == null, path, "has data after its JSON object");
      return read;
    } catch (JsonProcessingException e) {
      long at = e.getLocation() == null ? -1 : e.getLocation().getByteOffset();
      FormatException error =
          at < 0
              ? kind.in(path, "not JSON: %s", problem(e))
              : kind.in(path, "not JSON: %s, at byte %d", problem(e), at);
      throw error.causedBy(e);
    } catch (CharConversionException e) {
      String problem = Quote.show(e.getMessage(), MAX_ERROR_LENGTH);
      throw kind.in(path, "not JSON: %s", problem).causedBy(e);
    }
  }

  /** Returns a description of the problem in a document, on one line. */
  public static String problem(JsonProcessingException error) {
    String line = error.getOriginalMessage().lines().findFirst().orElse("");
    return Quote.show(
        line.replaceFirst(START_OF_VALUE, "").replaceFirst(NAME_OF_LIMIT, ""), MAX_ERROR_LENGTH);
  }

  /** Returns the position at which the current token begins. */
  @SuppressWarnings("deprecation") // the replacement requires 2.13
  public static JsonLocation start(JsonParser parser) {
    return parser.getTokenLocation();
  }

  /** Returns the position after the text that has been read so far. */
  @SuppressWarnings("deprecation") // the replacement requires 2.13
  public static JsonLocation end(JsonParser parser) {
    return parser.getCurrentLocation();
  }
}
