package org.saevhadoop.format.spi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.Settings;

/**
 * Staging of files that can only be read sequentially. Each part of the dataset is read once, and
 * its blocks are written to a folder in which they can be read at any offset. If examples are
 * selected by number, a first pass catalogues all parts ({@link #catalogue}, {@link #choose}), and
 * a second pass reads only the parts that contain selected examples. A {@code localFolder} is a
 * folder on the local disk for temporary files.
 */
public interface StreamAccess {
  /**
   * Files that are read together.
   *
   * @param number the index of the part among the parts of the dataset, from 0
   * @param files the paths of the files, relative to the folder of the dataset
   * @param firstEntry the index of the first entry to read in each file, if the file is an archive
   * @param endEntry the index of the entry after the last one to read
   * @param bytes the number of bytes to read
   */
  record Part(int number, List<String> files, int firstEntry, int endEntry, long bytes) {
    public Part {
      files = List.copyOf(files);
    }

    /** Creates a part that consists of whole files. */
    public Part(int number, List<String> files, long bytes) {
      this(number, files, 0, Integer.MAX_VALUE, bytes);
    }
  }

  /**
   * Returns whether a dataset must be staged: a format may also have datasets that are read in
   * place.
   */
  default boolean isNeeded(Location source, Settings settings) throws IOException {
    return true;
  }

  /**
   * Returns whether the numbers of examples are known only after all parts have been read, so
   * {@link #catalogue} and {@link #choose} are needed.
   */
  default boolean isCatalogued() {
    return true;
  }

  /** Returns the parts of a dataset in order. */
  List<Part> parts(Location source, Settings settings) throws IOException;

  /** Returns the provenance, read from the documents that accompany the files. */
  Provenance provenance(Location source, Settings settings) throws IOException;

  /**
   * Opens the arrays of one file, in the form in which they are recorded.
   *
   * @param file the open file; closing the cursor closes it
   */
  ArrayCursor arrays(Input file, Path localFolder) throws IOException;

  /**
   * Performs the checks that are possible before staging.
   *
   * @return the settings for {@link #catalogue} and {@link #stage}, with the facts about the whole
   *     dataset that are needed for each part
   */
  Settings prepare(Location source, Settings settings) throws IOException;

  /**
   * Reads the files of a part and writes a catalogue of its arrays to a folder, but no blocks. If
   * examples are selected by number, this must be done for all parts before {@link #choose}.
   *
   * @param target the folder; other parts are written to it concurrently
   */
  void catalogue(Part part, List<Input> inputs, Settings settings, Folder target, Path localFolder)
      throws IOException;

  /**
   * Numbers the examples after all parts have been catalogued, and records in the folder which
   * examples are selected.
   *
   * @param staged the folder that contains the catalogues
   * @return the numbers of the parts that must be staged, because they contain selected blocks
   * @throws org.saevhadoop.format.io.FormatException if the selected examples do not exist
   */
  List<Integer> choose(Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException;

  /**
   * Reads the files of a part and writes the selected blocks to a folder.
   *
   * @param request the projection; blocks outside it do not have to be staged
   * @param staged the folder to which {@link #choose} wrote, if examples are selected by number
   * @param target the folder; other parts are written to it concurrently, and files of the part
   *     replace its catalogue
   */
  void stage(
      Part part,
      List<Input> inputs,
      Settings settings,
      ProjectionRequest request,
      Folder staged,
      Folder target,
      Path localFolder)
      throws IOException;

  /** Joins the parts after all have been staged, so that {@link #openStaged} can open them. */
  void join(Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException;

  /**
   * Opens the staged and joined parts. The result has the shape and the example numbers of the
   * whole dataset, but only the selected blocks can be read.
   *
   * @param storage locates the source, whose files may contain blocks to be read in place
   * @param provenance interprets provenance that another format wrote
   */
  TableDataset openStaged(Folder staged, Storage storage, ProvenanceReader provenance)
      throws IOException;
}
