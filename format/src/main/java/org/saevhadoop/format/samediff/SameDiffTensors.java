package org.saevhadoop.format.samediff;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.gather.StridedReader;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samediff.container.ContainerArray;
import org.saevhadoop.format.samediff.container.ContainerError;
import org.saevhadoop.format.samediff.container.ContainerPart;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.NamedTensors;
import org.saevhadoop.format.tensor.DType;

/** Access to single arrays of containers by name; there is no access by key. */
final class SameDiffTensors implements NamedTensors {
  @Override
  public OpenTensor named(Location location, Settings settings, String name) throws IOException {
    SameDiffContainer container = SameDiffContainer.read(location);
    ContainerArray array =
        container
            .array(name)
            .orElseThrow(
                () ->
                    ContainerError.NO_SUCH_ARRAY.in(
                        location.path(), "has no array \"%s\"", Quote.show(name)));
    String path = container.folder().path(array.part().file());
    DType dtype = array.dtype(path, Quote.show(name));
    StridedReader<ContainerPart> reader = container.reader();
    return new OpenTensor(
        array.name(),
        path,
        dtype,
        // an array without dimensions and values is a list without values
        array.array().isEmptyScalar() ? List.of(0L) : array.array().shape(),
        array.array().length(),
        (offset, dst) -> reader.read(array.stored(), offset, dst),
        reader);
  }

  @Override
  public boolean hasKeys() {
    return false;
  }
}
