package org.saevhadoop.format.inflated;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.zip.StoredZip;

/**
 * What a part has inflated; archives without compressed entries have none here.
 *
 * @param entries the entries, archive by archive
 */
record InflatedPart(List<Inflated> entries) {
  private static final String DATA = "inflated-%05d";
  private static final String DOCUMENT = "entries-%05d";

  /**
   * An entry.
   *
   * @param archive the path of its archive, relative to the folder of the dataset
   * @param entry where its data is
   */
  record Inflated(String archive, StoredZip.Entry entry) {}

  /** Returns the name of the file with the data of the entries. */
  static String data(int number) {
    return DATA.formatted(number);
  }

  void add(String archive, StoredZip.Entry entry) {
    entries.add(new Inflated(archive, entry));
  }

  /** Returns the entries of an archive. */
  List<StoredZip.Entry> of(String archive) {
    return entries.stream()
        .filter(inflated -> inflated.archive.equals(archive))
        .map(Inflated::entry)
        .toList();
  }

  void write(Folder staged, int number) throws IOException {
    write(this, staged, DOCUMENT.formatted(number));
  }

  static InflatedPart read(Folder staged, int number) throws IOException {
    return read(InflatedPart.class, staged, DOCUMENT.formatted(number));
  }

  /** Writes a document. */
  static void write(Object value, Folder staged, String name) throws IOException {
    try (Output document = staged.create(name)) {
      document.write(ByteBuffer.wrap(Jackson.SETTINGS.writeValueAsBytes(value)));
    }
  }

  /** Reads a document that {@link #write(Object, Folder, String)} wrote. */
  static <T> T read(Class<T> type, Folder staged, String name) throws IOException {
    byte[] document = staged.readSmall(name, Integer.MAX_VALUE);
    try {
      return Jackson.SETTINGS.readValue(document, type);
    } catch (JsonProcessingException e) {
      throw FileError.DAMAGED
          .in(staged.path(name), "is not a list of entries (expected JSON of this program)")
          .causedBy(e);
    }
  }
}
