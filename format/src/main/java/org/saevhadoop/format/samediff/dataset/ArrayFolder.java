package org.saevhadoop.format.samediff.dataset;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samediff.container.ContainerArray;
import org.saevhadoop.format.samediff.container.ContainerPart;
import org.saevhadoop.format.samediff.container.SameDiffContainer;

/**
 * The folder of a container; each group of arrays that cannot be read in place appears in it as a
 * file that contains the values of the group's columns in C order, one column after another.
 */
final class ArrayFolder extends ForwardingFolder {
  private final SameDiffContainer container;
  private final Map<String, ArrayGroup> gathered = new HashMap<>();

  ArrayFolder(SameDiffContainer container, List<List<ArrayGroup>> files) {
    super(container.folder());
    this.container = container;
    for (List<ArrayGroup> file : files) {
      if (!file.get(0).isDirect()) {
        gathered.put(name(file.get(0)), file.get(0));
      }
    }
  }

  /** Returns the name of the file that represents a group of arrays. */
  static String name(ArrayGroup group) {
    return group.file() + "#" + group.first();
  }

  /** Returns the path of the container, which may be a file. */
  @Override
  public String path() {
    return container.path();
  }

  /** Returns the path of the first file that contains values of a group. */
  @Override
  public String path(String name) {
    ArrayGroup group = gathered.get(name);
    return folder().path(group == null ? name : group.file());
  }

  @Override
  public Input open(String name) throws IOException {
    ArrayGroup group = gathered.get(name);
    return group == null
        ? container.open(name)
        : new GatheredInput<ContainerPart>(
            path(name),
            container::open,
            group.arrays().stream().map(ContainerArray::stored).toList());
  }
}
