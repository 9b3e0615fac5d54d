package org.saevhadoop.mapreduce.index;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.saevhadoop.format.parquet.index.IndexColumn;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;

/** Writes entries as rows of a Parquet file. */
final class EntryWriteSupport extends WriteSupport<TensorIndexEntry> {
  /** The first four columns are exactly as safetensors-spark writes them. */
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message spark_schema {
            required binary tensor_key (STRING);
            required binary file_name (STRING);
            required group shape (LIST) { repeated group list { optional int32 element; } }
            required binary dtype (STRING);
            required int64 begin;
            required int64 end;
            required int64 header_bytes;
          }
          """);

  private final Runnable atEnd;

  @SuppressWarnings("NullAway.Init") // set by prepareForWrite
  private RecordConsumer out;

  /**
   * Creates the support.
   *
   * @param atEnd runs after the last row group is written, and before anything else is written
   */
  EntryWriteSupport(Runnable atEnd) {
    this.atEnd = atEnd;
  }

  @Override
  public WriteContext init(ParquetConfiguration conf) {
    return new WriteContext(SCHEMA, Map.of());
  }

  @Override
  @SuppressWarnings("deprecation") // still abstract in WriteSupport
  public WriteContext init(Configuration conf) {
    return new WriteContext(SCHEMA, Map.of());
  }

  @Override
  public void prepareForWrite(RecordConsumer consumer) {
    out = consumer;
  }

  @Override
  public void write(TensorIndexEntry entry) {
    out.startMessage();
    text(IndexColumn.TENSOR_KEY, entry.key());
    text(IndexColumn.FILE_NAME, entry.file());
    start(IndexColumn.SHAPE);
    out.startGroup();
    if (!entry.shape().isEmpty()) {
      out.startField("list", 0);
      for (long dimension : entry.shape()) {
        out.startGroup();
        out.startField("element", 0);
        out.addInteger(Math.toIntExact(dimension));
        out.endField("element", 0);
        out.endGroup();
      }
      out.endField("list", 0);
    }
    out.endGroup();
    end(IndexColumn.SHAPE);
    text(IndexColumn.DTYPE, entry.dtype().name());
    number(IndexColumn.BEGIN, entry.begin());
    number(IndexColumn.END, entry.end());
    number(IndexColumn.HEADER_BYTES, entry.headerBytes());
    out.endMessage();
  }

  @Override
  public FinalizedWriteContext finalizeWrite() {
    atEnd.run();
    return super.finalizeWrite();
  }

  private void text(IndexColumn column, String text) {
    start(column);
    out.addBinary(Binary.fromString(text));
    end(column);
  }

  private void number(IndexColumn column, long number) {
    start(column);
    out.addLong(number);
    end(column);
  }

  private void start(IndexColumn column) {
    out.startField(column.column(), column.ordinal());
  }

  private void end(IndexColumn column) {
    out.endField(column.column(), column.ordinal());
  }
}
