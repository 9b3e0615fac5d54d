package org.saevhadoop.format.spi;

import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.settings.Settings;

/**
 * The input of a conversion, as seen by the target format.
 *
 * @param path the path of the dataset as the user gave it
 * @param format the name of the dataset's format
 * @param dataset the data that is read: a projection if one was requested
 * @param table the shape of the source, with the types of its records
 * @param dtypesAsked whether the types of the table are written even if sample metadata records
 *     other types, because the user requested types, or several sources have different types
 * @param provenance the provenance of the data that is read
 * @param model the model from which the activations were extracted; its fields are null if unknown
 * @param samples whether sample metadata is written
 * @param settings the reading keys of the source's format
 * @param fileBytes the default size of a target file in bytes, which a format may lower; 0 if the
 *     user or an interrupted run has determined the size
 */
public record ConversionSource(
    String path,
    String format,
    TableDataset dataset,
    TableShape table,
    boolean dtypesAsked,
    Provenance provenance,
    ModelName model,
    boolean samples,
    Settings settings,
    long fileBytes) {
  private static final int MAX_FILES = 16;
  private static final long MIN_FILE_BYTES = 64 << 20;

  /**
   * Returns the default size of a file in bytes: a 16th of the dataset, at least 64 MiB. It depends
   * on the dataset alone, so a conversion writes the same bytes on every machine and cluster.
   */
  public static long defaultFileBytes(TableShape table) {
    long bytes = table.examples() * table.exampleBytes();
    return Math.max(MIN_FILE_BYTES, bytes / MAX_FILES);
  }

  /**
   * Returns the number of examples in a file of {@link #fileBytes} bytes, rounded up, so that a
   * 16th of the dataset results in 16 files rather than in 16 files and a shorter one.
   */
  public long examplesPerFile() {
    return (fileBytes - 1) / Math.max(1, table.exampleBytes()) + 1;
  }

  /** Returns the size in bytes of {@link #examplesPerFile} examples. */
  public long fullFileBytes() {
    return Math.max(fileBytes, examplesPerFile() * table.exampleBytes());
  }

  /** Returns a copy without a default file size. */
  public ConversionSource withoutFileBytes() {
    return new ConversionSource(
        path, format, dataset, table, dtypesAsked, provenance, model, samples, settings, 0);
  }
}
