package org.saevhadoop.format.numpy.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Python;

/** numpy reads what is written here, and the other way round. */
@Tag("python")
class NpyAgainstNumpyTest {
  private static final List<List<Long>> SHAPES =
      List.of(List.of(), List.of(5L), List.of(2L, 3L), List.of(0L, 4L), List.of(2L, 1L, 3L));

  @TempDir Path folder;

  private static String shown(NpyHeader header) {
    return "%s %s %s %d"
        .formatted(
            header.type().descr(),
            header.fortranOrder() ? "F" : "C",
            header.shape(),
            header.length());
  }

  @Test
  void numpyReadsWhatIsWritten() throws Exception {
    String script =
        """
        import numpy, sys
        for path in sys.argv[1:]:
            a = numpy.load(path)
            order = 'F' if a.flags.f_contiguous and not a.flags.c_contiguous else 'C'
            print(a.dtype.str, order, list(a.shape), a.nbytes)
        """;
    List<String> expected = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (DType dtype : DType.values()) {
      NumpyType type = NumpyType.of(dtype).filter(known -> known.kind() != 'V').orElse(null);
      for (int i = 0; type != null && i < 2 * SHAPES.size(); i++) {
        List<Long> shape = SHAPES.get(i / 2);
        // numpy reports the order only of arrays in which it matters
        boolean fortran = shape.stream().filter(size -> size > 1).count() > 1 && i % 2 == 1;
        byte[] header = NpyHeader.encode("x", type.bigEndian(i % 2 == 0), fortran, shape);
        long bytes = shape.stream().reduce((long) type.itemSize(), (a, b) -> a * b);
        Path file = folder.resolve(dtype + "-" + i + ".npy");
        Files.write(file, Arrays.copyOf(header, header.length + (int) bytes));
        files.add(file);
        expected.add(shown(NpyHeader.read(LocalFile.open(file))));
      }
    }
    assertThat(Python.MACHINE.with("numpy").run(script, files.toArray())).isEqualTo(expected);
  }

  @Test
  void whatNumpyWritesIsRead() throws Exception {
    String script =
        """
        import numpy, sys
        from numpy.lib import format
        types = '? i1 u1 <i2 >i4 <i8 u8 <f2 >f4 f8 c8 >c16 U3 >U2 S5'.split()
        n = 0
        for name in types:
            for shape in [(), (5,), (2, 3), (0, 4), (2, 1, 3)]:
                for order in 'CF':
                    a = numpy.zeros(shape, name, order)
                    for version in [(1, 0), (2, 0), (3, 0)]:
                        with open('%s/%d.npy' % (sys.argv[1], n), 'wb') as f:
                            format.write_array(f, a, version)
                        n += 1
                        f = order == 'F' and a.flags.f_contiguous and not a.flags.c_contiguous
                        print(a.dtype.str, 'F' if f else 'C', list(a.shape), a.nbytes)
        """;
    List<String> theirs = Python.MACHINE.with("numpy").run(script, folder);
    assertThat(theirs).hasSize(450);
    for (int i = 0; i < theirs.size(); i++) {
      Path file = folder.resolve(i + ".npy");
      NpyHeader header = NpyHeader.read(LocalFile.open(file));
      assertThat(shown(header)).isEqualTo(theirs.get(i));
      assertThat(header.dataOffset() + header.length()).isEqualTo(Files.size(file));
    }
  }
}
