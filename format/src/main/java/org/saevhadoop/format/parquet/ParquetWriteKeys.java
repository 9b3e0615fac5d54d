package org.saevhadoop.format.parquet;

import java.util.List;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.parquet.write.PageCompression;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The configuration keys for writing Parquet files. */
public final class ParquetWriteKeys {
  /** The storage of vectors. */
  public enum VectorType {
    LIST,
    BITS
  }

  public static final SettingKey<RowUnit> UNIT =
      SettingKey.of(
              "saev.output.parquet.unit",
              SettingTypes.choice(RowUnit.class),
              "vector",
              "What a row is: a vector, or an example with a column for each layer.")
          .option("--unit");

  public static final SettingKey<VectorType> VECTOR_TYPE =
      SettingKey.of(
              "saev.output.parquet.vector",
              SettingTypes.choice(VectorType.class),
              "list",
              "How vectors are stored: list (of float, double, int or long, which all programs"
                  + " read) or bits (the bytes of any type, such as BF16, which the metadata names).")
          .option("--vector-type");

  public static final SettingKey<PageCompression> CODEC =
      SettingKey.of(
              "saev.output.parquet.codec",
              SettingTypes.choice(PageCompression.class),
              "none",
              "How pages are compressed. Activations hardly compress.")
          .option("--codec");

  public static final SettingKey<Long> MAX_FILE_BYTES =
      SettingKey.of(
              "saev.output.parquet.file.bytes",
              SettingTypes.whole(1, Long.MAX_VALUE),
              "1073741824",
              "The maximum size of the vectors in a Parquet file, in bytes; an example is never"
                  + " divided. If it is not set, convert uses a sixteenth of the dataset, but at least"
                  + " 64 MiB"
                  + " and at most the default.")
          .option("--max-parquet-bytes");

  static final List<SettingKey<?>> ALL = List.of(UNIT, VECTOR_TYPE, CODEC, MAX_FILE_BYTES);

  private ParquetWriteKeys() {}
}
