package org.saevhadoop.jobs.stats;

import java.util.List;
import org.saevhadoop.format.api.PublicApi;

/**
 * Statistics of a dataset, or of a part of it.
 *
 * @param path the path of the dataset
 * @param examples the number of examples of the dataset or the part
 * @param sampled the number of these examples that were measured: all, or a sample
 * @param tokens the number of tokens per example
 * @param dim the number of values per vector
 * @param seed the seed of the sample and of the random pairs of vectors
 * @param storedTokens the numbers of the tokens, as counted in the stored examples
 * @param layers the statistics of each layer, in the order in which the layers are read
 */
@PublicApi
public record DatasetStatistics(
    String path,
    long examples,
    long sampled,
    int tokens,
    int dim,
    long seed,
    List<Integer> storedTokens,
    List<LayerStatistics> layers) {
  public DatasetStatistics {
    storedTokens = List.copyOf(storedTokens);
    layers = List.copyOf(layers);
  }
}
