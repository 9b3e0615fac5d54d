package org.saevhadoop.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.StreamAccess;

/**
 * Opens datasets of any format on the local disk. The format is recognized by the names and the
 * content of the files, and settings have their default values.
 */
@PublicApi
public final class Datasets {
  private static final int MAX_LISTED = 3;

  private Datasets() {}

  /**
   * Opens a dataset whose files can be read at any offset.
   *
   * @param path the folder of the dataset, or its file
   * @throws FormatException if there is no dataset, if it is malformed, or if its files can only be
   *     read sequentially
   */
  public static TableDataset open(Path path) throws IOException {
    Location location = locate(path);
    DatasetFormat format = format(location);
    DatasetError.UNSUPPORTED.check(
        format.stream(location, Settings.NONE).isEmpty(),
        location.path(),
        "can only be read sequentially (expected a folder for its unpacked blocks as the second"
            + " argument)");
    return format.open(location, Settings.NONE, DatasetFormats.registry());
  }

  /**
   * Opens a dataset. Files that can only be read sequentially, such as compressed ones, are read
   * once and unpacked first.
   *
   * @param path the folder of the dataset, or its file
   * @param unpacked an empty folder for unpacked blocks, which the dataset needs while it is being
   *     read; the folder remains empty if the files can be read at any offset
   * @throws FormatException if there is no dataset, or if it is malformed
   */
  public static TableDataset open(Path path, Path unpacked) throws IOException {
    Location location = locate(path);
    DatasetFormat format = format(location);
    Optional<StreamAccess> stream = format.stream(location, Settings.NONE);
    return stream.isPresent()
        ? unpack(stream.get(), location, unpacked)
        : format.open(location, Settings.NONE, DatasetFormats.registry());
  }

  private static DatasetFormat format(Location location) throws IOException {
    DatasetFormats formats = DatasetFormats.registry();
    try {
      return formats.detect(location);
    } catch (FormatException e) {
      if (e.kind() == DatasetError.UNKNOWN_FORMAT && !location.isFile()) {
        refuseNested(NestedDatasets.in(location.folder(), formats, null), location.path());
      }
      throw e;
    }
  }

  private static void refuseNested(NestedDatasets found, String path) throws FormatException {
    List<String> paths = found.paths();
    DatasetError.UNKNOWN_FORMAT.check(
        paths.isEmpty(),
        path,
        "%s (expected %s%s)",
        found.problem(),
        String.join(" or ", paths.subList(0, Math.min(paths.size(), MAX_LISTED))),
        paths.size() > MAX_LISTED ? " or another one" : "");
  }

  private static TableDataset unpack(StreamAccess stream, Location location, Path unpacked)
      throws IOException {
    ProjectionRequest everything = ProjectionRequest.EVERYTHING;
    Settings settings = stream.prepare(location, Settings.NONE);
    Folder staged = new LocalFolder(unpacked);
    for (StreamAccess.Part part : stream.parts(location, settings)) {
      List<Input> inputs = new ArrayList<>();
      try {
        for (String file : part.files()) {
          inputs.add(location.folder().open(file));
        }
        stream.stage(part, inputs, settings, everything, staged, staged, unpacked);
      } finally {
        for (Input input : inputs) {
          input.close();
        }
      }
    }
    stream.join(staged, location, settings, everything);
    return stream.openStaged(
        staged,
        text -> locate(Path.of(text.replaceFirst("^file://", ""))),
        DatasetFormats.registry());
  }

  private static Location locate(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    if (Files.isDirectory(absolute)) {
      return Location.of(new LocalFolder(absolute));
    }
    FileError.NOT_FOUND.check(Files.exists(absolute), absolute.toString(), "does not exist");
    Folder folder = new LocalFolder(Objects.requireNonNull(absolute.getParent())); // a file has one
    return Location.of(folder, absolute.getFileName().toString());
  }
}
