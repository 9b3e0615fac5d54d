package org.saevhadoop.format.publish.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.saevhadoop.format.json.Jackson;

/**
 * A job of a run, recorded as application_&lt;n&gt;.json in the run's folder.
 *
 * @param resourceManager the address of the ResourceManager to which the job was submitted; empty
 *     if it is unknown
 * @param fileName the name of the document
 */
public record SubmittedJob(String id, String resourceManager, String fileName) {
  private static final String PREFIX = "application_";
  private static final Pattern ID = Pattern.compile("job_\\d{1,18}_\\d{1,9}");

  public SubmittedJob(String id, String resourceManager) {
    this(id, resourceManager, application(id) + ".json");
  }

  static boolean isDocument(String fileName) {
    return fileName.startsWith(PREFIX);
  }

  /** Parses a document. If the document is incomplete, the file name identifies the job. */
  static SubmittedJob parse(String fileName, byte[] document) throws IOException {
    JsonNode json;
    try {
      json = Jackson.MAPPER.readTree(new String(document, StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      json = Jackson.MAPPER.createObjectNode();
    }
    if (!json.hasNonNull("job")) {
      String id = fileName.substring(PREFIX.length()).replaceFirst("\\.json.*$", "");
      return new SubmittedJob("job_" + id, "", fileName);
    }
    return new SubmittedJob(
        json.path("job").asText(), json.path("resourceManager").asText(), fileName);
  }

  /** Returns whether YARN can be asked about the job. */
  boolean hasId() {
    return ID.matcher(id).matches();
  }

  byte[] toJson() throws IOException {
    return Jackson.MAPPER.writeValueAsBytes(
        Jackson.MAPPER.createObjectNode().put("job", id).put("resourceManager", resourceManager));
  }

  /** Returns the id of the application that runs the job. */
  public String application() {
    return application(id);
  }

  private static String application(String id) {
    return id.replaceFirst("^job_", PREFIX);
  }
}
