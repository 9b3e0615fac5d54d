package org.saevhadoop.format.numpy;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.kind.FileKind;
import org.saevhadoop.format.numpy.file.NumpyReader;
import org.saevhadoop.format.spi.FormatEvidence;

/** Detects pickles that contain numpy arrays, unless another format has stronger evidence. */
final class PickleEvidence {
  /** The kinds of files that can be pickles; protocol 0 is text. */
  private static final Set<FileKind> PICKLES =
      EnumSet.of(FileKind.PICKLE, FileKind.GZIP, FileKind.TEXT);

  private PickleEvidence() {}

  static FormatEvidence of(Location location) throws IOException {
    if (!location.isFile()) {
      return isFolder(location) ? FormatEvidence.WEAK : FormatEvidence.NONE;
    }
    try (Input file = location.folder().open(location.file())) {
      Optional<FileKind> kind = FileKind.of(file);
      boolean isPickle =
          NumpyReader.isPickle(location.file())
              ? kind.filter(of -> !PICKLES.contains(of)).isEmpty()
              : kind.equals(Optional.of(FileKind.PICKLE));
      return isPickle ? FormatEvidence.FAIR : FormatEvidence.NONE;
    }
  }

  /** Returns whether the first pickle of a folder contains arrays. */
  private static boolean isFolder(Location folder) throws IOException {
    Optional<String> first =
        folder.files().keySet().stream()
            .filter(file -> NumpyReader.isPickle(file) && ArrayFiles.isData(file))
            .findFirst();
    try {
      return first.isPresent()
          && !new NumpyReader(null).read(folder.folder(), first.get()).arrays().isEmpty();
    } catch (FormatException e) {
      return false; // a pickle of another program
    }
  }
}
