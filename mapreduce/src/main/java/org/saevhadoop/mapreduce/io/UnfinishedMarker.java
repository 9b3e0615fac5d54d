package org.saevhadoop.mapreduce.io;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/**
 * The marker of a folder in which a run writes a dataset in place, as a storage without folders has
 * no cheap rename. It is there before the first data file, and is deleted after the last document.
 *
 * @param run the id of the run
 * @param folder the path of the folder of the run
 */
public record UnfinishedMarker(String run, String folder) {
  /** The name of the marker. Readers of Hadoop and Spark ignore names that begin like it. */
  public static final String NAME = "_saev-hadoop-unfinished";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Returns the marker in a document; a document of another program names no run. */
  public static UnfinishedMarker parse(byte[] document) throws IOException {
    JsonNode json;
    try {
      json = JSON.readTree(document);
    } catch (JsonProcessingException e) {
      return new UnfinishedMarker("", "");
    }
    return new UnfinishedMarker(json.path("run").asText(), json.path("folder").asText());
  }

  /** Returns the document. */
  public byte[] toJson() throws IOException {
    return JSON.writerWithDefaultPrettyPrinter()
        .writeValueAsBytes(
            JSON.createObjectNode()
                .put("program", "saev-hadoop")
                .put("run", run)
                .put("folder", folder)
                .put("state", "the dataset is being written and must not be read"));
  }

  /**
   * Checks that no run writes a dataset in a folder.
   *
   * @throws FormatException if the folder contains a marker
   */
  static void refuse(FileSystem fs, Path folder) throws IOException {
    Path file = PathArgument.child(folder, NAME);
    byte[] document;
    try (FSDataInputStream in = fs.open(file)) {
      document = in.readAllBytes();
    } catch (FileNotFoundException e) {
      return;
    }
    UnfinishedMarker marker = parse(document);
    throw FileError.UNFINISHED.in(
        HadoopStorage.show(folder),
        "is being written by run %s (expected a complete dataset: %s is deleted when it is; if the"
            + " run is dead, convert to this path again, with or without --resume)",
        Quote.show(marker.run()),
        NAME);
  }
}
