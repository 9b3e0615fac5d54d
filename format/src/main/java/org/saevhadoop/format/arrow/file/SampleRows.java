package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.json.JsonEscapes;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;

/**
 * Columns of a file as sample metadata: for each row, a JSON object with the columns as its fields.
 */
final class SampleRows implements SampleMetadataCursor {
  private final Input in;
  private final ArrowBodies bodies;
  private final ArrowReader.Names names;
  private final Set<String> columns;
  private final ArrowMessages messages;
  private final List<ArrowField> fields;
  private final Dictionaries dictionaries;
  private final long end;
  private List<SampleValues> values = List.of();

  /** The number of the next row in the file. */
  private long row;

  /** The number of rows in the file up to the end of the current record batch. */
  private long batchEnd;

  private long batchRows;

  private SampleRows(Input in, ArrowReader reader, long first, long count) throws IOException {
    this.in = in;
    this.bodies = ArrowBodies.of(in, reader.sampleBodies());
    this.names = reader.names();
    this.columns = SampleFields.of(bodies.file(), names);
    this.messages = new ArrowMessages(bodies.file());
    this.fields = ArrowSchema.fields(in.path(), messages.schema().header());
    this.dictionaries = new Dictionaries(bodies, names, fields, columns, messages.isFile());
    this.row = first;
    this.end = first + Math.min(count, Long.MAX_VALUE - first);
  }

  /**
   * Opens the sample metadata of some rows.
   *
   * @param in the file, which is closed with the rows
   * @param first the number of the first row
   * @param count the maximum number of rows
   */
  static SampleRows open(Input in, ArrowReader reader, long first, long count) throws IOException {
    try {
      return new SampleRows(in, reader, first, count);
    } catch (IOException | RuntimeException e) {
      try (in) {
        throw e;
      }
    }
  }

  @Override
  public @Nullable ExampleMetadata next() throws IOException {
    while (row >= batchEnd) {
      if (row >= end || !nextBatch()) {
        return null;
      }
    }
    if (row >= end) {
      return null;
    }
    StringBuilder json = new StringBuilder("{");
    for (SampleValues column : values) {
      json.append(json.length() > 1 ? ", " : "");
      JsonEscapes.UTF8.quote(column.name(), json);
      json.append(": ").append(column.json(row - (batchEnd - batchRows)));
    }
    return new ExampleMetadata(row++, json.append('}').toString());
  }

  /** Locates the columns of the next record batch; returns false if there is none. */
  private boolean nextBatch() throws IOException {
    ArrowMessages.Message message;
    do {
      message = messages.next();
      if (message == null) {
        return false;
      }
      dictionaries.accept(message);
    } while (message.kind() != ArrowMessages.RECORD_BATCH);
    BatchColumns.Batch batch =
        BatchColumns.of(bodies, fields, names, columns, message, new ArrayList<>());
    values = new ArrayList<>();
    for (BatchColumns.SampleColumn column : batch.samples()) {
      values.add(
          new SampleValues(bodies.values(), column, dictionaries.of(column.name()), batchEnd));
    }
    batchRows = batch.rows();
    batchEnd = batch.end(in.path(), batchEnd);
    return true;
  }

  @Override
  public void close() throws IOException {
    try (in) {
      bodies.close();
    }
  }
}
