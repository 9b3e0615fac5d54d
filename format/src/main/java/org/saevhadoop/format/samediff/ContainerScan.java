package org.saevhadoop.format.samediff;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.saevhadoop.format.dataset.SampleMetadataCheck;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samediff.container.ContainerPart;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.samediff.container.SdzFile;

/**
 * Finds all problems of a container: in each SDNB file, in the SDNB files together, in the
 * checksums of SDZ entries, and in the sample metadata.
 */
record ContainerScan(Location location, SameDiffReading reading) {
  /**
   * Maximum number of unreadable arrays that are reported as problems, which limits memory; a
   * warning states how many there are.
   */
  private static final int MAX_UNREADABLE = 1000;

  /**
   * Scans the container and returns the problems; findings that are unusual but valid are warnings.
   */
  List<FormatException> run(Consumer<String> warnings) throws IOException {
    List<FormatException> problems = new ArrayList<>();
    List<ContainerPart> parts;
    try {
      parts = SameDiffContainer.parts(location);
    } catch (FormatException e) {
      return List.of(e);
    }
    for (ContainerPart part : parts) {
      try {
        SameDiffContainer.of(location.path(), location.folder(), List.of(part));
        SdzFile.check(location.folder(), part);
      } catch (FormatException e) {
        problems.add(e);
      }
    }
    if (problems.isEmpty()) {
      checkWhole(problems, warnings);
    }
    return problems;
  }

  private void checkWhole(List<FormatException> problems, Consumer<String> warnings)
      throws IOException {
    SameDiffContainer container;
    try {
      container = SameDiffContainer.read(location);
    } catch (FormatException e) {
      problems.add(e);
      return;
    }
    container.unreadable().stream()
        .limit(MAX_UNREADABLE)
        .forEach(array -> problems.add(array.error()));
    container.warnings().forEach(warnings);
    TableDataset dataset;
    try {
      dataset = reading.open(location, container);
    } catch (FormatException e) {
      warnings.accept("the arrays are not examples of a dataset: " + e.getMessage());
      return;
    }
    problems.addAll(SampleMetadataCheck.problems(dataset));
  }
}
