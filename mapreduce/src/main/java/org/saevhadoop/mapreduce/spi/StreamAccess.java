package org.saevhadoop.mapreduce.spi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.mapreduce.conf.Settings;

/**
 * Files that can only be read from their beginning to their end. They are staged: each part is read
 * once and leaves its blocks in a folder, in which they can be read at any position. If examples
 * are asked for by their numbers, parts are catalogued first, and those are read again that hold
 * some.
 */
public interface StreamAccess {
  /**
   * Files that are read together.
   *
   * @param number the place of the part among the dataset's parts
   * @param files their paths below the folder of the dataset
   * @param bytes their lengths, together
   */
  record Part(int number, List<String> files, long bytes) {
    public Part {
      files = List.copyOf(files);
    }
  }

  /** Returns the parts of a dataset, in their order. */
  List<Part> parts(Location source, Settings settings) throws IOException;

  /** Returns what the documents beside the files say of the activations. */
  Provenance provenance(Location source) throws IOException;

  /**
   * Opens the arrays of one file, each as it is recorded.
   *
   * @param file the open file, which is closed with the cursor
   * @param localFolder a folder of the local disk
   */
  ArrayCursor arrays(Input file, Path localFolder) throws IOException;

  /**
   * Checks what can be checked before anything is staged, and returns settings for {@link #stage}.
   *
   * @return the settings with what the parts need to know of the whole
   */
  Settings prepare(Location source, Settings settings) throws IOException;

  /**
   * Reads the files of a part and writes what is known of its arrays to a folder, but no block. It
   * is done with all parts before {@link #choose}, if examples are asked for by their numbers.
   *
   * @param inputs the open files of the part, in its order
   * @param target the folder, which other parts are written to at the same time
   * @param localFolder a folder of the local disk
   */
  void catalogue(Part part, List<Input> inputs, Settings settings, Folder target, Path localFolder)
      throws IOException;

  /**
   * Numbers the examples of parts that are all catalogued, and writes to the folder which of them
   * are asked for.
   *
   * @param staged the folder that the catalogues are in
   * @return the numbers of the parts that must be staged, as blocks of them are asked for
   * @throws org.saevhadoop.format.io.FormatException if there are no such examples
   */
  List<Integer> choose(Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException;

  /**
   * Reads the files of a part and writes what is asked for of them to a folder.
   *
   * @param inputs the open files of the part, in its order
   * @param request what is asked for; what it does not ask for need not be staged
   * @param staged what {@link #choose} wrote to, if examples are asked for by their numbers
   * @param target the folder, which other parts are written to at the same time; files replace
   *     those of a catalogue
   * @param localFolder a folder of the local disk
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

  /** Joins parts that are all staged, so that {@link #openStaged} can open them. */
  void join(Folder staged, Location source, Settings settings, ProjectionRequest request)
      throws IOException;

  /**
   * Opens what was staged and joined: the whole dataset, by its shape and its numbers, of which
   * only the blocks that were asked for can be read.
   *
   * @param storage finds the source, whose files may hold blocks
   */
  TableDataset openStaged(Folder staged, Storage storage) throws IOException;
}
