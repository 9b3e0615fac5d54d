package org.saevhadoop.mapreduce.publish.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.saevhadoop.format.json.Jackson;

/**
 * A job of a run, application_&lt;n&gt;.json in its folder.
 *
 * @param resourceManager the address of the ResourceManager to which it was submitted; empty if it
 *     is unknown
 */
public record SubmittedJob(String id, String resourceManager) {
  private static final String PREFIX = "application_";

  static boolean isDocument(String fileName) {
    return fileName.startsWith(PREFIX);
  }

  /**
   * Parses a document. If only a part of it was written, the name of its file still names the job.
   */
  static SubmittedJob parse(String fileName, byte[] document) throws IOException {
    JsonNode json;
    try {
      json = Jackson.MAPPER.readTree(document);
    } catch (JsonProcessingException e) {
      json = Jackson.MAPPER.createObjectNode();
    }
    if (!json.hasNonNull("job")) {
      String id = fileName.substring(PREFIX.length()).replaceFirst("\\.json.*$", "");
      return new SubmittedJob("job_" + id, "");
    }
    return new SubmittedJob(json.path("job").asText(), json.path("resourceManager").asText());
  }

  byte[] toJson() throws IOException {
    return Jackson.MAPPER.writeValueAsBytes(
        Jackson.MAPPER.createObjectNode().put("job", id).put("resourceManager", resourceManager));
  }

  String fileName() {
    return application() + ".json";
  }

  /** Returns the id of the application that runs the job. */
  public String application() {
    return id.replaceFirst("^job_", PREFIX);
  }
}
