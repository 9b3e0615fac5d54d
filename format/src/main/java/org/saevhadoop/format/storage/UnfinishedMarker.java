package org.saevhadoop.format.storage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.Jackson;

/**
 * The marker of a folder in which a run writes a dataset in place, because a storage without
 * folders has no cheap rename. The marker is created before the first data file, and deleted after
 * the last document.
 *
 * @param run the id of the run
 * @param folder the path of the folder of the run
 */
public record UnfinishedMarker(String run, String folder) {
  /** The name of the marker. Hadoop and Spark ignore names that begin with an underscore. */
  public static final String NAME = "_saev-hadoop-unfinished";

  /** The maximum length of the document in bytes. */
  public static final int MAX_BYTES = 1 << 16;

  /**
   * The key for the id of the run that has written, in place, the unpublished dataset that a job
   * reads.
   */
  public static final String READER = "saev.run.reads";

  /** Returns the marker in a document; if another program wrote the document, the run is empty. */
  public static UnfinishedMarker parse(byte[] document) throws IOException {
    JsonNode json;
    try {
      json = Jackson.MAPPER.readTree(document);
    } catch (JsonProcessingException e) {
      return new UnfinishedMarker("", "");
    }
    return new UnfinishedMarker(json.path("run").asText(), json.path("folder").asText());
  }

  /** Returns the document. */
  public byte[] toJson() throws IOException {
    return Jackson.MAPPER
        .writerWithDefaultPrettyPrinter()
        .writeValueAsBytes(
            Jackson.MAPPER
                .createObjectNode()
                .put("program", "saev-hadoop")
                .put("run", run)
                .put("folder", folder)
                .put("state", "the dataset is being written and must not be read"));
  }

  /**
   * Checks that the run that reads a folder is the one that writes it.
   *
   * @param path the path of the folder, for the message
   * @param reader the id of the run that reads the folder; null if no run reads it
   * @throws FormatException if this is the marker of another run
   */
  public void check(String path, @Nullable String reader) throws FormatException {
    FileError.UNFINISHED.check(
        !run.isEmpty() && run.equals(reader),
        path,
        "is being written by run %s (expected a complete dataset: the run deletes %s when the"
            + " dataset is complete; if the run is dead, convert to this path again, with or"
            + " without --resume)",
        Quote.show(run),
        NAME);
  }
}
