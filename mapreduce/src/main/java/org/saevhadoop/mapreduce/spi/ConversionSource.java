package org.saevhadoop.mapreduce.spi;

import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.mapreduce.conf.Settings;

/**
 * What a conversion reads, as the format that is written needs to know it.
 *
 * @param path the dataset's path, as the user knows it
 * @param format the name of its format
 * @param dataset what is read of it: a projection where one was asked for
 * @param table the shape of what is read, in the types that records have
 * @param dtypesAsked whether the user asked for types
 * @param provenance what travels with the activations, for what is read of them
 * @param model the model that they were taken from, as far as it is known
 * @param samples whether the metadata of the samples travels
 * @param settings how the source is read
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
    Settings settings) {}
