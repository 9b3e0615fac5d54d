package org.saevhadoop.mapreduce.spi;

import java.io.IOException;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.projection.Projection;

/**
 * The dataset of which a conversion reads a part.
 *
 * @param dataset all of it
 * @param part what is read of it
 * @param digest computes the line of its digest, which takes reading all of it
 */
public record WholeSource(TableDataset dataset, Projection part, Digest digest) {
  /** Computes a digest. */
  @FunctionalInterface
  public interface Digest {
    String compute() throws IOException;
  }
}
