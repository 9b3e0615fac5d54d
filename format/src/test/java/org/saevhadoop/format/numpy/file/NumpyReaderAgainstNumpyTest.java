package org.saevhadoop.format.numpy.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.SwappedInput;
import org.saevhadoop.format.inflated.Inflating;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.numpy.NpyFormat;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.ReadChecksum;
import org.saevhadoop.testing.Python;

/** The elements of files that numpy writes are read as numpy reads them. */
@Tag("python")
class NumpyReaderAgainstNumpyTest {
  private static final int ARRAYS = 14 * 2 * 5 * 2;

  /** Saves arrays, and beside them their elements in C order, little-endian. */
  private static final String SAVE =
      """
      import json, numpy, sys, zipfile
      from numpy.lib import format
      folder = sys.argv[1] + '/'
      types = '? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 V2'.split()
      shapes = [(), (5,), (2, 3), (0, 4), (3, 4, 5, 2)]
      random = numpy.random.default_rng(1)
      arrays = {}
      for name in types:
          for endian in '<>':
              for shape in shapes:
                  for order in 'CF':
                      size = numpy.dtype(name).itemsize * int(numpy.prod(shape))
                      raw = random.integers(0, 2 if name == '?' else 256, size, numpy.uint8)
                      a = raw.view(endian + name).reshape(shape)
                      a = numpy.array(a, order=order)
                      i = len(arrays)
                      arrays['a%d' % i] = a
                      little = numpy.ascontiguousarray(a)
                      little = little.astype(little.dtype.newbyteorder('<'))
                      little.tofile(folder + 'a%d.bin' % i)
                      with open(folder + 'a%d.npy' % i, 'wb') as f:
                          format.write_array(f, a, (1 + i % 3, 0))
      numpy.savez(folder + 'all.npz', **arrays)

      class Pipe:
          def __init__(self, path): self.file = open(path, 'wb')
          def write(self, data): return self.file.write(data)
          def flush(self): self.file.flush()
          def read(self): raise OSError

      numpy.savez(Pipe(folder + 'pipe.npz'), **arrays)
      objects = numpy.array([{}, None], dtype=object)
      numpy.savez(folder + 'objects.npz', a=arrays['a3'], o=objects)
      numpy.savez_compressed(folder + 'compressed.npz', **arrays)
      numpy.savez_compressed(Pipe(folder + 'compressed_pipe.npz'), **arrays)
      m = numpy.memmap(folder + 'shard_0.memmap', numpy.int16, 'w+', shape=(4, 8))
      m[:] = random.integers(-32768, 32768, (4, 8), numpy.int16)
      m.flush()
      json.dump({'shape': [4, 8], 'dtype': 'torch.bfloat16'}, open(folder + 'shard_0.meta', 'w'))
      """;

  @TempDir Path directory;

  private Folder saved() throws IOException, InterruptedException {
    Python.MACHINE.with("numpy").run(SAVE, directory);
    return new LocalFolder(directory);
  }

  private static ArrayFile read(Folder folder, String file, @Nullable DType storedAs)
      throws IOException {
    return new NumpyReader(storedAs).read(folder, file);
  }

  private static byte[] elements(Folder folder, String file, FileArray array) throws IOException {
    List<StoredElements<String>> parts = List.of(new StoredElements<>(file, array.layout()));
    try (Input in =
        SwappedInput.of(new GatheredInput<>(file, folder::open, parts), array.swapUnit())) {
      byte[] bytes = new byte[(int) in.length()];
      in.readFully(0, ByteBuffer.wrap(bytes));
      return bytes;
    }
  }

  private byte[] expected(String array) throws IOException {
    return Files.readAllBytes(directory.resolve(array + ".bin"));
  }

  @Test
  void everyArrayHasTheElementsThatNumpyLoads() throws Exception {
    Folder folder = saved();
    for (int i = 0; i < ARRAYS; i++) {
      String file = "a" + i + ".npy";
      ArrayFile npy = read(folder, file, DType.BF16);
      assertThat(npy.warnings()).isEmpty();
      assertThat(elements(folder, file, npy.arrays().get(0))).as(file).isEqualTo(expected("a" + i));
    }
    for (String file : List.of("all.npz", "pipe.npz")) {
      ArrayFile npz = read(folder, file, DType.BF16);
      assertThat(npz.arrays()).hasSize(ARRAYS);
      for (FileArray array : npz.arrays()) {
        assertThat(elements(folder, file, array)).isEqualTo(expected(array.name()));
      }
      try (Input in = folder.open(file)) {
        for (ArchiveEntry entry : npz.entries()) {
          new ReadChecksum().check(in, entry);
        }
      }
    }
    assertThat(read(folder, "objects.npz", null).warnings()).hasSize(1);
    compressedArraysAreInflated(folder);
    byte[] bfloats = Files.readAllBytes(directory.resolve("shard_0.memmap"));
    FileArray memmap = read(folder, "shard_0.memmap", null).arrays().get(0);
    assertThat(memmap.dtype()).isEqualTo(DType.BF16);
    assertThat(elements(folder, "shard_0.memmap", memmap)).isEqualTo(bfloats);
  }

  private void compressedArraysAreInflated(Folder folder) throws IOException {
    for (String file : List.of("compressed.npz", "compressed_pipe.npz")) {
      NpyFormat numpy = new NpyFormat();
      assertThat(Inflating.isNeeded(numpy, Location.of(folder, file))).isTrue();
      Folder inflated = Inflating.folder(numpy, folder, file, new MemoryStorage("staged"));
      ArrayFile npz = read(inflated, file, DType.BF16);
      assertThat(npz.arrays())
          .hasSize(ARRAYS)
          .hasSameSizeAs(read(folder, file, DType.BF16).arrays());
      for (FileArray array : npz.arrays()) {
        assertThat(elements(inflated, file, array)).isEqualTo(expected(array.name()));
      }
    }
  }
}
