package org.saevhadoop.format.publish.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.staged.ProgramVersion;
import org.saevhadoop.format.storage.StoragePath;

/**
 * The document that describes a run: run.json in its folder.
 *
 * @param build the version of the program that began the run, with its commit
 * @param destination the path to be written
 * @param written the folder in which the dataset is written
 * @param source the path to be read
 * @param user the user who started the run
 * @param host the host on which the run was started
 * @param started the time at which the run was started, in UTC
 * @param state the {@link SourceState} of the sources; empty if the run cannot be resumed
 * @param settings the settings that define the result, by key name
 */
public record RunRecord(
    String id,
    String build,
    String destination,
    String written,
    String source,
    String user,
    String host,
    String started,
    String state,
    Map<String, String> settings) {
  static final String FILE = "run.json";

  static final JsonLimits LIMITS = new JsonLimits(64 << 20, 1_000_000, 64 << 20, 100);

  private static final String PROGRAM = "saev-hadoop";

  /**
   * The version of the document. A program reads records of its own version and of earlier ones.
   */
  private static final int VERSION = 1;

  /** The maximum number of characters of a setting shown in a message. */
  private static final int MAX_SHOWN = 200;

  /** The beginning of each document. */
  private static final byte[] HEAD =
      "{%n  \"program\" : \"%s\"".formatted(PROGRAM).getBytes(StandardCharsets.UTF_8);

  public RunRecord {
    settings = Map.copyOf(settings);
  }

  /** Returns the record of a run that begins now. */
  public static RunRecord of(
      String destination,
      String written,
      String source,
      String user,
      String state,
      Map<String, String> settings) {
    return new RunRecord(
        UUID.randomUUID().toString(),
        ProgramVersion.text(),
        destination,
        written,
        source,
        user,
        localHostName(),
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        state,
        settings);
  }

  private static String localHostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /** Returns this record with the id of an earlier run, whose dataset is complete. */
  RunRecord continuing(RunRecord earlier) {
    return new RunRecord(
        earlier.id, build, destination, written, source, user, host, started, state, settings);
  }

  /** Returns whether the dataset is written at its path, instead of in the folder of the run. */
  public boolean isDirect() {
    return written.equals(destination);
  }

  byte[] toJson() throws IOException {
    ObjectNode json = Jackson.MAPPER.createObjectNode();
    json.put("program", PROGRAM).put("version", VERSION).put("build", build).put("id", id);
    json.put("destination", destination).put("written", written).put("source", source);
    json.put("user", user).put("host", host).put("started", started).put("state", state);
    ObjectNode values = json.putObject("settings");
    new TreeMap<>(settings).forEach(values::put);
    return Jackson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(json);
  }

  /**
   * Returns the record in a document; empty if this program did not write the document.
   *
   * @param path the path of the document, for messages
   * @throws FormatException if a later version of this program wrote it
   */
  static Optional<RunRecord> parse(String path, byte[] document) throws IOException {
    Optional<JsonNode> found = tree(document);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    JsonNode json = found.get();
    JsonNode version = json.path("version");
    FileError.NOT_REPLACEABLE.check(
        version.isMissingNode() || version.isInt() && version.asInt() <= VERSION,
        path,
        "has version %s, which a later version of the program wrote (expected version %d or"
            + " lower: use the version that began the run)",
        Quote.show(version.toString(), MAX_SHOWN),
        VERSION);
    Map<String, String> settings = new TreeMap<>();
    JsonNode recorded = json.path("settings");
    recorded.fieldNames().forEachRemaining(name -> settings.put(name, recorded.get(name).asText()));
    return Optional.of(
        new RunRecord(
            json.path("id").asText(),
            json.path("build").asText(),
            json.path("destination").asText(),
            json.path("written").asText(),
            json.path("source").asText(),
            json.path("user").asText(),
            json.path("host").asText(),
            json.path("started").asText(),
            json.path("state").asText(),
            settings));
  }

  /** Returns the datasets that a run reads, as its record names them. */
  public static String source(List<StoragePath> sources) {
    return sources.stream().map(StoragePath::shown).collect(Collectors.joining("; "));
  }

  /** Returns the JSON of a document written by any version of this program. */
  private static Optional<JsonNode> tree(byte[] document) throws IOException {
    try {
      return Optional.ofNullable(Jackson.MAPPER.readTree(document))
          .filter(json -> json.path("program").asText().equals(PROGRAM));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns whether a document is an incomplete document of this program: earlier versions wrote it
   * in place, so a killed process may have left only a part.
   */
  static boolean isTorn(byte[] document) throws IOException {
    int length = Math.min(document.length, HEAD.length);
    return tree(document).isEmpty() && Arrays.equals(document, 0, length, HEAD, 0, length);
  }

  /**
   * Checks that a run would write the same dataset as an earlier one.
   *
   * @param folder the folder of both runs, for messages
   * @throws FormatException if the program version, the source or any settings differ
   */
  void checkContinues(RunRecord earlier, String folder) throws FormatException {
    FileError.NOT_RESUMABLE.check(
        build.equals(earlier.build),
        folder,
        "was begun by %s (expected %s, or a run without --resume)",
        earlier.build.isEmpty() ? "an earlier version of this program" : Quote.show(earlier.build),
        build);
    FileError.NOT_RESUMABLE.check(
        source.equals(earlier.source),
        folder,
        "the run that was begun here reads %s (expected the source %s, or a run without --resume)",
        Quote.show(earlier.source),
        Quote.show(source));
    FileError.NOT_RESUMABLE.check(
        !state.isEmpty() && state.equals(earlier.state),
        folder,
        "the files of %s have changed since the run that was begun here (expected the same names,"
            + " sizes and times, or a run without --resume)",
        Quote.show(source));
    Set<String> keys = new TreeSet<>(settings.keySet());
    keys.addAll(earlier.settings.keySet());
    for (String key : keys) {
      String now = settings.get(key);
      String then = earlier.settings.get(key);
      FileError.NOT_RESUMABLE.check(
          Objects.equals(now, then),
          folder,
          "the run that was begun here has %s, but this one has %s (expected the same settings, or"
              + " a run without --resume)",
          shown(key, then),
          shown(key, now));
    }
  }

  private static String shown(String key, @Nullable String value) {
    return value == null ? "no " + key : Quote.show(key + "=" + value, MAX_SHOWN);
  }
}
