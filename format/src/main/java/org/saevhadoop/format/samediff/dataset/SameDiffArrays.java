package org.saevhadoop.format.samediff.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.LayerNumber;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.samediff.container.ContainerArray;
import org.saevhadoop.format.samediff.container.ContainerError;
import org.saevhadoop.format.samediff.container.ContainerFolder;
import org.saevhadoop.format.samediff.container.ContainerPart;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.samediff.container.SameDiffContainer.Unreadable;
import org.saevhadoop.format.samediff.sdnb.StoredArray;
import org.saevhadoop.format.samediff.sdnb.StoredArray.MemoryOrder;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * Reads the arrays of containers that other programs wrote; each container is treated as one file.
 *
 * @param isSample if true, no values are read, and files that are datasets of this project are
 *     treated as if they had no arrays
 */
public record SameDiffArrays(boolean isSample) implements ArrayReader {
  @Override
  public boolean isNamed(String file) {
    return ContainerFolder.isContainer(file);
  }

  @Override
  public ArrayFile read(Folder folder, String file) throws IOException {
    SameDiffContainer container = ContainerFolder.read(folder, file);
    if (isSample || folder instanceof ContainerFolder one && one.isGiven(file)) {
      return isSample && SameDiffTable.isOwn(container) ? ArrayFile.of(List.of()) : of(container);
    }
    ContainerError.AMBIGUOUS_FILES.check(
        !SameDiffTable.isOwn(container),
        folder.path(file),
        "is one of several containers, and a dataset of its own (expected the path of this one)");
    container.requireStored();
    return of(container);
  }

  /**
   * Returns the arrays of a container, except arrays of types without a defined encoding.
   *
   * @throws FormatException if some layers can be read but others cannot
   */
  public static ArrayFile of(SameDiffContainer container) throws FormatException {
    checkLayers(container);
    List<FileArray> arrays = new ArrayList<>();
    Set<String> warnings = new LinkedHashSet<>(container.warnings());
    for (ContainerArray array : container.arrays()) {
      StoredArray stored = array.array();
      Optional<DType> dtype = stored.type().dtype();
      if (dtype.isEmpty()) {
        warnings.add("arrays of %s are not read".formatted(stored.type()));
      } else if (!stored.isEmptyScalar()) {
        arrays.add(
            new FileArray(array.name(), dtype.get(), layout(container.offset(array), stored)));
      }
    }
    List<ArchiveEntry> entries =
        container.parts().stream().map(ContainerPart::entry).filter(Objects::nonNull).toList();
    return new ArrayFile(arrays, Map.of(), entries, List.copyOf(warnings));
  }

  private static void checkLayers(SameDiffContainer container) throws FormatException {
    if (container.unreadable().isEmpty()) {
      return;
    }
    Set<String> kinds = new HashSet<>();
    for (ContainerArray array : container.arrays()) {
      LayerNumber.find(array.name()).ifPresent(number -> kinds.add(number.rest()));
    }
    for (Unreadable array : container.unreadable()) {
      Optional<LayerNumber> number = LayerNumber.find(array.name());
      if (number.isPresent() && kinds.contains(number.get().rest())) {
        throw array.error();
      }
    }
  }

  private static StridedLayout layout(long offset, StoredArray array) {
    return array.order() == MemoryOrder.F
        ? StridedLayout.fortran(offset, array.type().width(), array.shape())
        : StridedLayout.cOrder(offset, array.type().width(), array.shape());
  }
}
