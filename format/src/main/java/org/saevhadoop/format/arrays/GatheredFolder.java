package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.SwappedInput;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;

/**
 * The folder of a dataset, in which groups of arrays that cannot be read in place appear as files.
 * File names can include the names of folders.
 */
final class GatheredFolder extends ForwardingFolder {
  private final Map<String, Integer> gathered;
  private final SurveyedGroups groups;
  private final Geometry geometry;
  private final RaggedPolicy ragged;

  /**
   * Wraps a folder.
   *
   * @param gathered the indexes of the groups that appear as files, by their names
   */
  GatheredFolder(
      Folder folder, Map<String, Integer> gathered, SurveyedGroups groups, RaggedPolicy ragged) {
    super(folder);
    this.gathered = Map.copyOf(gathered);
    this.groups = groups;
    this.geometry = groups.survey().geometry();
    this.ragged = ragged;
  }

  /** Returns the path of a file, or of the first of the files that contain a group. */
  @Override
  public String path(String name) {
    Integer group = gathered.get(name);
    return folder().path() + "/" + (group == null ? name : groups.firstFile(group));
  }

  @Override
  public Input open(String name) throws IOException {
    Integer index = gathered.get(name);
    if (index == null) {
      return stored(name);
    }
    ExampleGroup group = groups.get(index);
    int unit = group.first().swapUnit();
    GatheredInput<String> elements =
        new GatheredInput<>(
            path(name),
            file -> file.equals(ExampleGroup.FILLING) ? new Filling(unit) : stored(file),
            group.elements(geometry, ragged));
    return unit == 1 ? elements : new SwappedInput(elements, unit);
  }

  private Input stored(String path) throws IOException {
    return ArrayFiles.open(folder(), path);
  }

  /** The padding values, presented as a file of any length. */
  private final class Filling implements Input {
    private final ByteBuffer values;

    /**
     * Creates the values in the byte order of the surrounding elements.
     *
     * @param swapUnit the number of bytes that are reversed together
     */
    Filling(int swapUnit) throws FormatException {
      ByteBuffer ordered = ragged.filling(path(), geometry.dtype());
      this.values = ByteBuffer.allocate(ordered.limit());
      for (int i = 0; i < ordered.limit(); i++) {
        values.put(i, ordered.get(i / swapUnit * swapUnit + swapUnit - 1 - i % swapUnit));
      }
    }

    @Override
    public String path() {
      return folder().path();
    }

    @Override
    public long length() {
      return Long.MAX_VALUE;
    }

    @Override
    public void readFully(long position, ByteBuffer dst) {
      while (dst.hasRemaining()) {
        int at = (int) (position % values.limit());
        int some = Math.min(dst.remaining(), values.limit() - at);
        dst.put(values.slice(at, some));
        position += some;
      }
    }

    @Override
    public void close() {}
  }
}
