package org.saevhadoop.format.spi;

import java.util.List;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.settings.Settings;

/**
 * The output of a conversion, determined before the job is submitted.
 *
 * @param settings all settings that tasks need to write the output
 * @param provenance the provenance that is written with the activations
 * @param examples the number of examples that are written, which are the first examples of the
 *     source
 * @param directory the subfolder of the user's path; empty for the path itself
 * @param keepsIds whether examples keep the ids of the source
 * @param keepsLabels whether labels are written
 * @param losses descriptions of data that the format does not keep, as warnings for the user
 * @param changes other differences from the source, as warnings for the user
 */
public record PreparedWrite(
    Settings settings,
    Provenance provenance,
    long examples,
    String directory,
    boolean keepsIds,
    boolean keepsLabels,
    List<String> losses,
    List<String> changes) {
  public PreparedWrite {
    losses = List.copyOf(losses);
    changes = List.copyOf(changes);
  }

  /** Returns an output with all examples of the source and their labels, but without their ids. */
  public static PreparedWrite of(Settings settings, ConversionSource source, List<String> changes) {
    long examples = source.table().examples();
    return new PreparedWrite(
        settings, source.provenance(), examples, "", false, true, List.of(), changes);
  }
}
