package org.saevhadoop.format.staged;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.saevhadoop.format.json.Jackson;

/**
 * The record of a part. The document of a record is JSON, followed by a line with the CRC-32C of
 * the JSON text.
 *
 * @param program the version of the program that wrote the part
 * @param content the description of the files' content, provided by the writer of the part
 * @param files the files in the order of their names
 */
public record StagedRecord(String program, String content, List<StagedFile> files) {
  private static final String END = "%ncrc32c %08x%n";
  private static final int END_BYTES = END.formatted(0).length();

  public StagedRecord {
    files = List.copyOf(files);
  }

  /** Returns a file of the part. */
  public Optional<StagedFile> file(String name) {
    return files.stream().filter(file -> file.name().equals(name)).findFirst();
  }

  /** Returns the total length of the files. */
  public long bytes() {
    return files.stream().mapToLong(StagedFile::length).sum();
  }

  byte[] toBytes() throws IOException {
    byte[] json = Jackson.SETTINGS.writeValueAsBytes(this);
    byte[] bytes = Arrays.copyOf(json, json.length + END_BYTES);
    System.arraycopy(end(json, json.length), 0, bytes, json.length, END_BYTES);
    return bytes;
  }

  /**
   * Returns the record in a document; empty if the document is incomplete or was written by another
   * version.
   */
  static Optional<StagedRecord> parse(byte[] document) throws IOException {
    int length = document.length - END_BYTES;
    if (length <= 0
        || !Arrays.equals(document, length, document.length, end(document, length), 0, END_BYTES)) {
      return Optional.empty();
    }
    StagedRecord record;
    try {
      record = Jackson.SETTINGS.readValue(document, 0, length, StagedRecord.class);
    } catch (JsonProcessingException e) {
      return Optional.empty(); // of another version
    }
    boolean valid =
        record.program.equals(ProgramVersion.text())
            && record.files.stream().allMatch(StagedFile::isValid);
    return valid ? Optional.of(record) : Optional.empty();
  }

  private static byte[] end(byte[] document, int length) {
    CRC32C crc = new CRC32C();
    crc.update(document, 0, length);
    return END.formatted((int) crc.getValue()).getBytes(StandardCharsets.US_ASCII);
  }
}
