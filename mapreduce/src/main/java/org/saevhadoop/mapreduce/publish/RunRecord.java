package org.saevhadoop.mapreduce.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The document of a run, run.json in its folder.
 *
 * @param id the id of the run
 * @param destination the path to be written
 * @param written the folder in which the dataset is written
 * @param source the path to be read
 * @param user the user who started the run
 * @param host the host on which it was started
 * @param started the time at which it was started, in UTC
 * @param settings the settings that define what is written, by the names of their keys
 */
public record RunRecord(
    String id,
    String destination,
    String written,
    String source,
    String user,
    String host,
    String started,
    Map<String, String> settings) {
  /** The name of the document. */
  static final String FILE = "run.json";

  private static final String PROGRAM = "saev-hadoop";
  private static final ObjectMapper JSON = new ObjectMapper();

  public RunRecord {
    settings = Map.copyOf(settings);
  }

  /** Returns the record of a run that begins now. */
  public static RunRecord of(
      String destination,
      String written,
      String source,
      String user,
      Map<String, String> settings) {
    return new RunRecord(
        UUID.randomUUID().toString(),
        destination,
        written,
        source,
        user,
        localHostName(),
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        settings);
  }

  private static String localHostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  byte[] toJson() throws IOException {
    ObjectNode json = JSON.createObjectNode();
    json.put("program", PROGRAM).put("version", 1).put("id", id);
    json.put("destination", destination).put("written", written).put("source", source);
    json.put("user", user).put("host", host).put("started", started);
    ObjectNode values = json.putObject("settings");
    new TreeMap<>(settings).forEach(values::put);
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(json);
  }

  /** Returns the record in a document; empty if this program did not write the document. */
  static Optional<RunRecord> parse(byte[] document) throws IOException {
    JsonNode json;
    try {
      json = JSON.readTree(document);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
    if (json == null || !json.path("program").asText().equals(PROGRAM)) {
      return Optional.empty();
    }
    Map<String, String> settings = new TreeMap<>();
    json.path("settings")
        .properties()
        .forEach(field -> settings.put(field.getKey(), field.getValue().asText()));
    return Optional.of(
        new RunRecord(
            json.path("id").asText(),
            json.path("destination").asText(),
            json.path("written").asText(),
            json.path("source").asText(),
            json.path("user").asText(),
            json.path("host").asText(),
            json.path("started").asText(),
            settings));
  }
}
