package org.saevhadoop.mapreduce.staging;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.spi.StreamAccess.Part;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.CountedInput;

/** A part of a stream whose files are open. */
public record OpenPart(Part part, List<CountedInput> inputs) implements Closeable {
  static OpenPart open(StoragePath source, Part part) throws IOException {
    Folder folder = source.locateChecked().folder();
    OpenPart opened = new OpenPart(part, new ArrayList<>());
    try {
      for (String file : part.files()) {
        opened.inputs.add(CountedInput.of(folder.open(file)));
      }
      return opened;
    } catch (IOException | RuntimeException e) {
      Io.closeAfter(e, opened.inputs);
      throw e;
    }
  }

  /** Sets the meter for bytes read from the files. */
  void meter(ByteMeter bytes) {
    inputs.forEach(input -> input.meter(bytes));
  }

  /**
   * Returns the position in the files as a fraction of their lengths. The fraction restarts at 0 if
   * files are read twice.
   */
  public float progress() {
    return (float) inputs.stream().mapToDouble(CountedInput::progress).average().orElse(1);
  }

  @Override
  public void close() throws IOException {
    Io.closeAll(inputs);
  }
}
