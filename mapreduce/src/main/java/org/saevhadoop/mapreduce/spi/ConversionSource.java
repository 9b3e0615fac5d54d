package org.saevhadoop.mapreduce.spi;

import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.mapreduce.conf.Settings;

/**
 * The input of a conversion, as seen by the format that is written.
 *
 * @param path the path of the dataset as the user gave it
 * @param format the name of the dataset's format
 * @param dataset the data that is read: a projection if one was requested
 * @param table the shape of the data that is read, with the types that records have
 * @param dtypesAsked whether the user requested types
 * @param provenance the provenance of the data that is read
 * @param model the model from which the activations were extracted; its fields are null if unknown
 * @param samples whether sample metadata is written
 * @param settings the reading keys of the source's format
 * @param fileBytes the size in bytes of the target files with which a cluster is best used; 0 where
 *     the format's own default or a size that the user has given applies
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
  /** Returns a copy that suggests no size of files. */
  public ConversionSource withoutFileBytes() {
    return new ConversionSource(
        path, format, dataset, table, dtypesAsked, provenance, model, samples, settings, 0);
  }
}
