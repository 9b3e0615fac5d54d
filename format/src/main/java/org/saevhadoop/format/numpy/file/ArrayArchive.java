package org.saevhadoop.format.numpy.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.EntryNames;
import org.saevhadoop.format.zip.ZipArchive;

/** The arrays of a .npz file, a ZIP archive of .npy files. */
final class ArrayArchive {
  private static final EntryNames NAMES = NumpyReader.ENTRIES;

  /** Entries of scipy/sparse/_matrix_io.py. */
  private static final Set<String> SPARSE = Set.of("format.npy", "shape.npy", "data.npy");

  private static final Set<String> SPARSE_INDEXES =
      Set.of("indices.npy", "row.npy", "coords.npy", "offsets.npy");

  private static final int MAX_WARNINGS = 20;
  static final int MAX_SHOWN = 100;

  private final Input file;
  private final ElementTypes types;
  private final List<FileArray> arrays = new ArrayList<>();
  private final List<ArchiveEntry> entries = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private int unlisted;
  private @Nullable FormatException firstRefused;

  private ArrayArchive(Input file, ElementTypes types) {
    this.file = file;
    this.types = types;
  }

  /**
   * Reads the headers of the arrays.
   *
   * @param file the archive, which is closed afterwards
   * @param inPlace whether compressed arrays are refused
   */
  static ArrayFile read(Input file, ElementTypes types, boolean inPlace) throws IOException {
    try (ZipArchive zip = ZipArchive.open(file, NAMES)) {
      checkDense(file.path(), zip);
      NpyError.COMPRESSED.check(
          !inPlace || !isCompressed(zip),
          file.path(),
          "has compressed entries, which must be staged before random access (expected stored"
              + " ones)");
      return new ArrayArchive(file, types).read(zip.entries());
    }
  }

  private static void checkDense(String path, ZipArchive zip) throws FormatException {
    Set<String> names = zip.entries().stream().map(ArchiveEntry::name).collect(Collectors.toSet());
    NpyError.UNSUPPORTED.check(
        !names.containsAll(SPARSE) || SPARSE_INDEXES.stream().noneMatch(names::contains),
        path,
        "is a sparse matrix from scipy.sparse.save_npz, which is not read (expected a dense array:"
            + " numpy.save(file, scipy.sparse.load_npz(path).toarray()))");
  }

  /**
   * Opens a file that has the elements of an array at the offsets of its layout: the archive
   * itself, or a compressed entry of it.
   *
   * @param file the archive, which is closed with the result
   */
  static Input elements(Input file, String array) throws IOException {
    ZipArchive zip = ZipArchive.open(file, NAMES);
    Optional<ArchiveEntry> compressed =
        zip.entries().stream()
            .filter(entry -> !entry.stored() && entry.name().equals(array + NpyArray.SUFFIX))
            .findFirst();
    if (compressed.isEmpty()) {
      return file;
    }
    try (zip) {
      return InflatedEntry.of(file, compressed.get());
    }
  }

  static boolean isCompressed(ZipArchive zip) {
    return zip.entries().stream().anyMatch(entry -> !entry.stored() && isArray(entry));
  }

  private static boolean isArray(ArchiveEntry entry) {
    return NumpyReader.isArrayEntry(entry.name());
  }

  private ArrayFile read(List<ArchiveEntry> all) throws IOException {
    for (ArchiveEntry entry : all) {
      read(entry);
    }
    if (arrays.isEmpty() && firstRefused != null) {
      throw firstRefused;
    }
    NpyError.NO_ARRAYS.check(
        !arrays.isEmpty(), file.path(), "contains no array (expected entries NAME.npy)");
    if (unlisted > 0) {
      warnings.add(unlisted + " more entries with such findings");
    }
    return new ArrayFile(arrays, Map.of(), entries, warnings);
  }

  private void read(ArchiveEntry entry) throws IOException {
    String shown = Quote.show(entry.name(), MAX_SHOWN);
    if (!isArray(entry)) {
      leaveOut(shown, "is not a .npy file");
      return;
    }
    String name = entry.name().substring(0, entry.name().length() - NpyArray.SUFFIX.length());
    long offset = entry.stored() ? entry.dataOffset() : 0;
    try (Input npy = new EntryHead(file, entry)) {
      NpyArray array = NpyArray.read(npy, name, offset, types);
      checkEnd(npy, entry, array.bytesAfter());
      arrays.add(array.array());
      entries.add(entry);
      array.warnings().forEach(warning -> warn("entry \"%s\": %s".formatted(shown, warning)));
    } catch (FormatException e) {
      if (e.kind() != NpyError.UNSUPPORTED) {
        throw e;
      }
      firstRefused = firstRefused == null ? e : firstRefused;
      leaveOut(shown, e.problem());
    }
  }

  /**
   * Checks that a compressed entry has no bytes after its array, because they would be inflated
   * unnecessarily.
   */
  static void checkEnd(Input npy, ArchiveEntry entry, long bytesAfter) throws FormatException {
    NpyError.WRONG_LENGTH.check(
        entry.stored() || bytesAfter == 0,
        npy.path(),
        "has %d bytes after the array (expected none in a compressed entry)",
        bytesAfter);
  }

  private void leaveOut(String shown, String problem) {
    warn("entry \"%s\" %s and is left out".formatted(shown, problem));
  }

  private void warn(String warning) {
    if (warnings.size() < MAX_WARNINGS) {
      warnings.add(warning);
    } else {
      unlisted++;
    }
  }
}
