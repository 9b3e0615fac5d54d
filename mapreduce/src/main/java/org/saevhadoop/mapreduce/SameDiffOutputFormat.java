package org.saevhadoop.mapreduce;

import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.samediff.SameDiffFormat;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

/**
 * Writes SameDiff containers. {@code saev.output.geometry}, {@code saev.output.table} or {@code
 * saev.output.metadata} defines the shape. Job commit writes the graph, which is the first of
 * several SDNB files.
 */
@PublicApi
public final class SameDiffOutputFormat extends ActivationOutputFormat {
  /** Creates the output format. */
  public SameDiffOutputFormat() {
    super(new SameDiffFormat());
  }
}
