package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.Verb;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SourceRequest;

/**
 * Writes the vectors, or the examples, of a dataset in a random order.
 *
 * @param conversion the source, the selected part, the destination and its format
 * @param unit the unit that is shuffled
 * @param seed the seed, which determines the order together with the source and the selection
 * @param sample the fraction of the examples that is written; 1 for all
 * @param partition the parts into which the examples are divided; empty if all examples are written
 *     to one dataset
 * @param provenance whether the example, the token and the layer of each row are written
 */
@PublicApi
public record Shuffle(
    Conversion conversion,
    RowUnit unit,
    long seed,
    double sample,
    List<Part> partition,
    boolean provenance)
    implements Verb<List<Shuffle.Result>> {
  /**
   * A part of the examples, which is written to a folder with its name.
   *
   * @param fraction its fraction of the examples
   */
  public record Part(String name, double fraction) {}

  /**
   * A dataset that was written.
   *
   * @param padding the number of vectors that were left out because they are padding
   * @param unassigned the number of examples that no dataset of a partition contains
   */
  public record Result(Conversion.Result dataset, long padding, long unassigned) {}

  public Shuffle {
    partition = List.copyOf(partition);
  }

  /** Returns a shuffle of all vectors. */
  public static Shuffle of(Conversion conversion, long seed) {
    return new Shuffle(conversion, RowUnit.VECTOR, seed, 1, List.of(), false);
  }

  @Override
  public @Nullable Configuration conf() {
    return conversion.conf();
  }

  /**
   * @hidden
   */
  @Internal
  @Override
  public List<SourceRequest> sources(JobRunner runner) throws IOException {
    return conversion.sources(runner);
  }

  /**
   * {@inheritDoc} Writes one dataset for each layer if vectors are shuffled; otherwise, writes a
   * single dataset.
   *
   * @hidden
   */
  @Internal
  @Override
  public Prepared<List<Result>> prepare(List<SourceRequest> sources, JobRunner runner)
      throws IOException {
    return new PreparedShuffle(this, conversion.normalized(sources.get(0), runner), runner);
  }

  /**
   * Returns the sum of the fractions of parts.
   *
   * @hidden
   */
  @Internal
  public static BigDecimal sum(List<Part> parts) {
    return parts.stream()
        .map(part -> BigDecimal.valueOf(part.fraction()))
        .reduce(BigDecimal.ZERO, BigDecimal::add)
        .stripTrailingZeros();
  }
}
