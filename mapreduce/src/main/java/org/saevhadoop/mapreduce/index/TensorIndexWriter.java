package org.saevhadoop.mapreduce.index;

import java.io.IOException;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;
import org.saevhadoop.format.safetensors.index.TensorIndexSink;

/**
 * Writes an index as one Parquet file, with the columns of safetensors-spark, so that Spark can
 * read it, and the additional columns {@code begin}, {@code end} and {@code header_bytes}. Memory
 * does not grow with the number of entries. Equal entries in the same order result in equal bytes.
 *
 * <p>Entries may be written in any order, but a lookup is efficient only if similar keys are
 * adjacent, ideally in UTF-8 order.
 */
public final class TensorIndexWriter implements TensorIndexSink {
  /**
   * The packed size of a row group in bytes. A row group is buffered before it is written. A lookup
   * reads the offsets of a row group.
   */
  private static final long ROW_GROUP_BYTES = 1 << 20;

  /** The number of rows per page, which is small because a lookup reads one page of each column. */
  private static final int PAGE_ROWS = 1024;

  private static final int PAGE_BYTES = 64 << 10;

  /** The maximum length in bytes of the key bounds that are stored for a page. */
  private static final int BOUND_BYTES = 64;

  /** The service that creates writers. */
  public static final class Opener implements TensorIndexSink.Opener {
    @Override
    public TensorIndexSink open(Output out) throws IOException {
      return new TensorIndexWriter(out);
    }
  }

  private final String path;
  private final ParquetWriter<TensorIndexEntry> writer;
  private long entries;

  /**
   * Creates a writer.
   *
   * @param out the output, positioned at its beginning; the writer closes it
   */
  public TensorIndexWriter(Output out) throws IOException {
    this.path = out.path();
    StableFooter footer = new StableFooter();
    this.writer =
        new Builder(new ParquetOutput(out, footer), footer::begin)
            .withConf(new PlainParquetConfiguration())
            .withCompressionCodec(CompressionCodecName.SNAPPY)
            .withRowGroupSize(ROW_GROUP_BYTES)
            .withPageRowCountLimit(PAGE_ROWS)
            .withPageSize(PAGE_BYTES)
            .withColumnIndexTruncateLength(BOUND_BYTES)
            .withStatisticsTruncateLength(BOUND_BYTES)
            .withStatisticsEnabled(false) // unused, and a lookup would read them
            .withStatisticsEnabled("tensor_key", true)
            .withSizeStatisticsEnabled(false)
            .withDictionaryEncoding("tensor_key", false)
            .withDictionaryEncoding("begin", false)
            .withDictionaryEncoding("end", false)
            .build();
  }

  @Override
  public void write(TensorIndexEntry entry) throws IOException {
    if (!entry.placed()) {
      throw new IllegalArgumentException(entry + " has no place");
    }
    for (long dimension : entry.shape()) {
      DatasetError.TOO_LARGE.check(
          dimension >= 0 && dimension <= Integer.MAX_VALUE,
          path,
          "tensor \"%s\" of %s has shape %s (expected dimensions below 2^31, the limit "
              + "of the index)",
          entry.key(),
          entry.file(),
          entry.shape());
    }
    writer.write(entry);
    entries++;
  }

  @Override
  public long entries() {
    return entries;
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  private static final class Builder extends ParquetWriter.Builder<TensorIndexEntry, Builder> {
    private final Runnable atEnd;

    Builder(OutputFile file, Runnable atEnd) {
      super(file);
      this.atEnd = atEnd;
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    protected WriteSupport<TensorIndexEntry> getWriteSupport(ParquetConfiguration conf) {
      return new EntryWriteSupport(atEnd);
    }

    @Override
    @SuppressWarnings("deprecation") // still abstract in ParquetWriter.Builder
    protected WriteSupport<TensorIndexEntry> getWriteSupport(
        org.apache.hadoop.conf.Configuration conf) {
      return new EntryWriteSupport(atEnd);
    }
  }
}
