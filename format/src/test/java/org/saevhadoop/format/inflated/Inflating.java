package org.saevhadoop.format.inflated;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.entries.EntryDocument;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.spi.StreamAccess.Part;

/** Stages all parts of a dataset, as a job does. */
public final class Inflating {
  private Inflating() {}

  /** Returns whether a dataset must be staged. */
  public static boolean isNeeded(DatasetFormat format, Location source) throws IOException {
    return format.stream().orElseThrow().isNeeded(source, Settings.NONE);
  }

  /** Stages a dataset and opens what was staged. */
  public static TableDataset open(
      DatasetFormat format, Location source, Settings settings, Folder staged) throws IOException {
    StreamAccess stream = format.stream().orElseThrow();
    stage(stream, source, stream.prepare(source, settings), staged);
    return stream.openStaged(staged, uri -> source, ProvenanceReader.NONE);
  }

  private static void stage(StreamAccess stream, Location source, Settings settings, Folder staged)
      throws IOException {
    ProjectionRequest all = ProjectionRequest.EVERYTHING;
    for (Part part : stream.parts(source, settings)) {
      List<Input> inputs = new ArrayList<>();
      try {
        for (String file : part.files()) {
          inputs.add(open(source.folder(), file));
        }
        stream.stage(part, inputs, settings, all, staged, staged, Path.of("unused"));
      } finally {
        for (Input input : inputs) {
          input.close();
        }
      }
    }
    stream.join(staged, source, settings, all);
  }

  private static Input open(Folder folder, String path) throws IOException {
    Folder below = folder;
    int from = 0;
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', from)) {
      below = below.folder(path.substring(from, slash)).orElseThrow();
      from = slash + 1;
    }
    return below.open(path.substring(from));
  }

  /**
   * Inflates a .npz or .sdz file of a folder, and returns the folder as readers see it.
   *
   * @param staged the folder for the data of the entries
   */
  public static Folder folder(DatasetFormat format, Folder source, String file, Folder staged)
      throws IOException {
    Location location = Location.of(source, file);
    stage(format.stream().orElseThrow(), location, Settings.NONE, staged);
    return EntryDocument.read(staged).open(staged, uri -> location, InflatedPart.CONTENT).folder();
  }
}
