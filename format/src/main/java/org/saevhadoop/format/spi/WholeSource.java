package org.saevhadoop.format.spi;

import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.projection.Projection;

/**
 * The whole dataset, if a conversion reads only a part of it.
 *
 * @param part the part that is read
 * @param provenance the provenance of the dataset, with the normalization of the selected part
 * @param digest computes the digest of the dataset; this reads the whole dataset
 */
public record WholeSource(
    TableDataset dataset, Projection part, Provenance provenance, Io.Supplier<String> digest) {}
