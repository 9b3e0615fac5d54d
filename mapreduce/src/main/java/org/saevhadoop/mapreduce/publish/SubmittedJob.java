package org.saevhadoop.mapreduce.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/**
 * A job of a run, application_&lt;n&gt;.json in its folder.
 *
 * @param id the id of the job
 * @param resourceManager the address of the ResourceManager to which it was submitted
 */
public record SubmittedJob(String id, String resourceManager) {
  private static final String PREFIX = "application_";
  private static final ObjectMapper JSON = new ObjectMapper();

  static boolean isDocument(String fileName) {
    return fileName.startsWith(PREFIX);
  }

  static SubmittedJob parse(byte[] document) throws IOException {
    JsonNode json = JSON.readTree(document);
    return new SubmittedJob(json.path("job").asText(), json.path("resourceManager").asText());
  }

  byte[] toJson() throws IOException {
    return JSON.writeValueAsBytes(
        JSON.createObjectNode().put("job", id).put("resourceManager", resourceManager));
  }

  String fileName() {
    return id.replaceFirst("^job_", PREFIX) + ".json";
  }
}
