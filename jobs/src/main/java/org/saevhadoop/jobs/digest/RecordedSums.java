package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SourceRequest;

/** The sums that {@code digest --save} has written next to a dataset. */
public final class RecordedSums {
  private RecordedSums() {}

  /**
   * Runs a job that compares the files of a dataset with the sums next to it.
   *
   * @return a difference for each file that differs, is missing, or has no recorded sum; empty if
   *     there are no sums
   * @throws FormatException if the file next to the dataset does not contain sums
   */
  public static Optional<List<FormatException>> differences(SourceRequest request, JobRunner runner)
      throws IOException, InterruptedException {
    StoragePath folder = request.source().parent();
    if (folder == null) {
      return Optional.empty();
    }
    StoragePath file = folder.child(request.source().name() + SumsFile.SUFFIX);
    if (file.kind() == StoragePath.Kind.MISSING) {
      return Optional.empty();
    }
    Location location = file.locate();
    FileError.NOT_A_FILE.check(
        location.isFile(), location.path(), "is a folder (expected a checksum file)");
    SumsFile sums;
    try (Input in = location.folder().open(location.file())) {
      sums = SumsParser.read(in);
    }
    SortedMap<String, String> found = FileSums.of(request.source(), runner);
    TreeSet<String> names = new TreeSet<>(sums.sums().keySet());
    names.addAll(found.keySet());
    List<FormatException> differences = new ArrayList<>();
    for (String name : names) {
      try {
        new DigestExpectation(null, new SumsFile(null, sums.folder(), only(sums.sums(), name)))
            .compare(request.location(), only(found, name));
      } catch (FormatException e) {
        differences.add(e);
      }
    }
    return Optional.of(differences);
  }

  private static SortedMap<String, String> only(SortedMap<String, String> sums, String name) {
    return sums.subMap(name, name + '\0');
  }
}
