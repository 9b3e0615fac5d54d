package org.saevhadoop.mapreduce;

import org.saevhadoop.mapreduce.output.ActivationOutputFormat;
import org.saevhadoop.mapreduce.samediff.SameDiffFormat;

/**
 * Writes SameDiff containers. {@code saev.output.geometry}, {@code saev.output.table} or {@code
 * saev.output.metadata} defines the shape. Job commit writes the graph, the first of several SDNB
 * files.
 */
public final class SameDiffOutputFormat extends ActivationOutputFormat {
  /** Creates the output format. */
  public SameDiffOutputFormat() {
    super(new SameDiffFormat(), DatasetFormats.registry());
  }
}
