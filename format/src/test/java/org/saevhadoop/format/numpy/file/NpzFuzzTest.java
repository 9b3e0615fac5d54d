package org.saevhadoop.format.numpy.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.Collections;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.inflated.Inflating;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.numpy.NpyFormat;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.ZipError;
import org.saevhadoop.testing.Allocation;

/**
 * No bytes do worse than an error in one line, and the arrays of what is accepted are in the file.
 * Its inputs are beside it in the resources.
 */
@Tag("late")
@Isolated
class NpzFuzzTest {
  private static final int MAX_ALLOCATED = 4 << 20;

  @FuzzTest(maxDuration = "6h")
  void anyBytesAreReadOrRefused(byte[] bytes) throws IOException {
    MemoryStorage folder = new MemoryStorage("fuzz");
    folder.put("x.npz", bytes);
    ArrayFile file;
    try {
      file = Allocation.atMost(MAX_ALLOCATED, () -> new NumpyReader(null).read(folder, "x.npz"));
    } catch (FormatException e) {
      assertThat(e.kind()).isInstanceOfAny(NpyError.class, ZipError.class);
      assertThat(e).hasMessageStartingWith("fuzz/x.npz").message().hasLineCount(1);
      return;
    }
    assertThat(file.arrays()).hasSameSizeAs(file.entries());
    for (int i = 0; i < file.arrays().size(); i++) {
      FileArray array = file.arrays().get(i);
      ArchiveEntry entry = file.entries().get(i);
      StridedLayout layout = array.layout();
      assertThat(layout.length()).isEqualTo(expected(array));
      long end = entry.stored() ? entry.dataOffset() + entry.size() : entry.size();
      assertThat(layout.offset() + layout.length()).isBetween(0L, end);
    }
    whatIsInflatedIsTheSame(folder, file);
  }

  /** What is inflated has the same arrays, or is refused as the data of an entry is invalid. */
  private static void whatIsInflatedIsTheSame(MemoryStorage folder, ArrayFile file)
      throws IOException {
    if (file.entries().stream().mapToLong(ArchiveEntry::size).sum() > MAX_ALLOCATED) {
      return;
    }
    Folder inflated;
    try {
      inflated = Inflating.folder(new NpyFormat(), folder, "x.npz", new MemoryStorage("staged"));
    } catch (FormatException e) {
      assertThat(e.kind()).isInstanceOfAny(NpyError.class, ZipError.class);
      return;
    }
    ArrayFile copy = new NumpyReader(null).inPlace().read(inflated, "x.npz");
    assertThat(copy.warnings()).isEqualTo(file.warnings());
    assertThat(copy.arrays().stream().map(FileArray::shape))
        .containsExactlyElementsOf(file.arrays().stream().map(FileArray::shape).toList());
  }

  private static long expected(FileArray array) {
    return Collections.frequency(array.shape(), 0L) > 0
        ? 0
        : array.shape().stream().reduce(array.dtype().bits() / 8L, Math::multiplyExact);
  }
}
