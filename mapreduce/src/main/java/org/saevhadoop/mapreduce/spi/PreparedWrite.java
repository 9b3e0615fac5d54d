package org.saevhadoop.mapreduce.spi;

import java.util.List;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.mapreduce.conf.Settings;

/**
 * What is to be written, worked out before the job.
 *
 * @param settings all that tasks need to write it
 * @param provenance what travels with the activations
 * @param examples how many examples of the source are written, the first ones
 * @param directory where it goes below the path that the user named; empty for that path itself
 * @param keepsIds whether examples are written under the ids of the source
 * @param keepsLabels whether labels are written
 * @param warnings what the user should know
 */
public record PreparedWrite(
    Settings settings,
    Provenance provenance,
    long examples,
    String directory,
    boolean keepsIds,
    boolean keepsLabels,
    List<String> warnings) {
  public PreparedWrite {
    warnings = List.copyOf(warnings);
  }
}
