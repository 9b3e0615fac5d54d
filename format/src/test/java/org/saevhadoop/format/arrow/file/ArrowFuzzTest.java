package org.saevhadoop.format.arrow.file;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.json.JsonError;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.testing.Allocation;

/** No Arrow file does worse than an error of one line, and arrays are in the file. */
@Tag("late")
@Isolated
class ArrowFuzzTest {
  private static final long MAX_ALLOCATED = 128 << 20;
  private static final long MAX_SAMPLES = 1 << 12;

  @FuzzTest(maxDuration = "6h")
  void anyFileIsReadOrRefused(byte[] bytes) throws IOException {
    MemoryStorage folder = new MemoryStorage("fuzz");
    folder.put("x.arrow", bytes);
    try {
      ArrowReader any = ArrowReaderPropertyTest.ANY;
      check(any, bytes, Allocation.atMost(MAX_ALLOCATED, () -> any.read(folder, "x.arrow")));
      ArrowReader examples =
          new ArrowReader(
              new ArrowReader.Names(List.of(), Set.of(), ArrowReader.Row.EXAMPLE),
              ArrowReader.Bodies.IN_PLACE);
      examples.read(folder, "x.arrow");
      readSamples(examples.samples(folder, "x.arrow").orElse(SampleMetadata.NONE));
    } catch (FormatException e) {
      boolean isKnown = e.kind() instanceof ArrowError || e.kind() instanceof JsonError;
      if (!isKnown || e.getMessage().chars().anyMatch(c -> c < ' ')) {
        throw new AssertionError("of no kind, or more than a line", e);
      }
    }
  }

  private static void readSamples(SampleMetadata samples) throws IOException {
    try (SampleMetadataCursor cursor = samples.cursor(0, MAX_SAMPLES)) {
      while (cursor.next() != null) {
        continue;
      }
    }
  }

  /** Checks that all arrays are in a file, or in what its buffers unpack to. */
  static void check(ArrowReader reader, byte[] bytes, ArrayFile content) throws IOException {
    MemoryStorage folder = new MemoryStorage("fuzz");
    folder.put("x.arrow", bytes);
    for (ArrayFile part : content.parts()) {
      for (FileArray array : part.arrays()) {
        StridedLayout layout = array.layout();
        try (Input elements = reader.elements(folder, "x.arrow", array.name())) {
          long end = elements.length();
          if (layout.offset() < 0 || layout.length() > end - layout.offset()) {
            throw new AssertionError(array + " is not in the file");
          }
        }
      }
    }
  }
}
