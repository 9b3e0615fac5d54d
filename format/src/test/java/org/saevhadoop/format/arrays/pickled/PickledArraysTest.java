package org.saevhadoop.format.arrays.pickled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.NONE;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.array;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.call;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.counted;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.dict;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.dtype;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.floats;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.global;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.list;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.number;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.text;
import static org.saevhadoop.format.arrays.pickled.NumpyPickle.tuple;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Allocation;

/** Pickles of numpy's arrays in any containers. */
class PickledArraysTest {
  private static final String PATH = "x.pkl";

  private final MemoryStorage folder = new MemoryStorage("data");

  static DType type(String path, NumpyType type) throws FormatException {
    if (type.dtype() == null) {
      throw NpyError.UNSUPPORTED.in(path, "contains '%s'", type.descr());
    }
    return type.dtype();
  }

  private ArrayFile read(byte[] file) throws IOException {
    folder.put(PATH, file);
    return PickledArrays.read(folder.open(PATH), 0, PickledArraysTest::type);
  }

  private ArrayFile read(String value) throws IOException {
    return read(NumpyPickle.bytes(value));
  }

  private static List<String> names(ArrayFile file) {
    return file.arrays().stream().map(FileArray::name).toList();
  }

  @Test
  void arraysAreNamedByTheKeysAndIndexesAroundThem() throws IOException {
    ArrayFile file =
        read(
            dict(
                number(33),
                floats(2, 3),
                text("acts"),
                list(floats(1), dict(text("x"), tuple(text("id"), floats(4))))));
    assertThat(names(file)).containsExactly("33", "acts.0", "acts.1.x.1");
    assertThat(file.values()).containsExactlyEntriesOf(Map.of("acts.1.x.0", "id"));
    assertThat(names(read(floats(2, 3)))).containsExactly(ArrayFile.UNNAMED);
  }

  @ParameterizedTest
  @CsvSource({"2", "100", "100000"})
  void elementsAreWhereThePickleHasThem(int length) throws IOException {
    byte[] pickle = NumpyPickle.bytes(dict(text("a"), floats(length), text("b"), floats(length)));
    for (FileArray array : read(pickle).arrays()) {
      int begin = (int) array.layout().offset();
      for (int i = 0; i < length * Float.BYTES; i++) {
        assertThat(pickle[begin + i]).isEqualTo((byte) i);
      }
    }
  }

  @Test
  void elementsAreSkipped() throws IOException {
    read(list(floats(1 << 20), floats(1 << 20)));
    assertThat(folder.bytesRead()).isLessThan(2 << 20);
  }

  @Test
  void theOrderOfDimensionsAndOfBytesIsKept() throws IOException {
    byte[] data = new byte[24];
    ArrayFile file =
        read(
            list(
                array(dtype("f4", "<"), true, counted(24), 2, 3),
                array(dtype("f4", ">"), false, counted(24), 2, 3),
                NumpyPickle.buffer(dtype("f4", "<"), "F", data, 2, 3),
                NumpyPickle.buffer(dtype("i2", "<"), "C", data, 4, 3)));
    assertThat(file.arrays())
        .extracting(array -> array.layout().strides())
        .containsExactly(List.of(4L, 8L), List.of(12L, 4L), List.of(4L, 8L), List.of(6L, 2L));
    assertThat(file.arrays()).extracting(FileArray::swapUnit).containsExactly(1, 4, 1, 1);
    assertThat(file.arrays().get(3).dtype()).isEqualTo(DType.I16);
  }

  @Test
  void arraysOfObjectsAreListsAndWithoutDimensionsTheirObject() throws IOException {
    String objects = dtype("O8", "|");
    String ofTwo = array(objects, false, list(floats(2, 3), floats(1, 3)), 2);
    assertThat(names(read(ofTwo))).containsExactly("0", "1");
    String ofDict = array(objects, false, list(dict(text("layer_3"), floats(2, 3))));
    assertThat(names(read(ofDict))).containsExactly("layer_3");
    assertFails(PickleError.BAD_ARRAY, PATH, () -> read(array(objects, false, list(floats(2)), 2)));
  }

  @Test
  void anArrayOfAMemoryMapIsLikeAnyOther() throws IOException {
    String state = tuple(number(1), tuple(number(2)), dtype("f4", "<"), "\u0089", counted(8));
    String array = NumpyPickle.reconstruct(global("numpy", "memmap")) + state + "b";
    assertThat(read(array).arrays().get(0).shape()).containsExactly(2L);
  }

  @Test
  void otherArraysAndObjectsAreLeftOutByName() throws IOException {
    String frame = call(global("pandas.core.frame", "DataFrame"));
    ArrayFile file =
        read(
            dict(
                text("acts"),
                floats(2, 3),
                text("records"),
                array(NumpyPickle.structure(), false, counted(8), 1),
                text("dates"),
                array(dtype("M8", "<"), false, counted(8), 1),
                text("complex"),
                array(dtype("c16", "<"), false, counted(16), 1),
                text("when"),
                call(global("datetime", "datetime"), number(1)),
                text("table"),
                frame,
                text("tensor"),
                call(global("torch._utils", "_rebuild_tensor_v2"))));
    assertThat(names(file)).containsExactly("acts");
    assertThat(file.warnings())
        .containsExactly(
            "an array of structures, dtype 'V8', is not read: \"records\"",
            "an array of dates or durations, dtype 'M8', is not read: \"dates\"",
            "an array of dtype '<c16' is not read: \"complex\"",
            "an object of datetime.datetime is not read: \"when\"",
            "a pandas table (pandas.core.frame.DataFrame; x.to_numpy() is read) is not read:"
                + " \"table\"",
            "a torch tensor within a pickle (torch._utils._rebuild_tensor_v2; torch.save of the"
                + " unpickled object, or x.numpy() is read) is not read: \"tensor\"");
  }

  @ParameterizedTest
  @CsvSource({
    "pandas.core.frame, DataFrame",
    "scipy.sparse._csr, csr_matrix",
    "torch._utils, _rebuild_sparse_tensor",
    "numpy.ma.core, _mareconstruct",
    "jax._src.array, _reconstruct_array",
    "os, system"
  })
  void whatIsNoArrayIsRefusedByName(String module, String name) {
    assertFails(PickleError.UNSAFE_GLOBAL, PATH, () -> read(call(global(module, name))));
  }

  @Test
  void arraysOfOldProtocolsAreRefusedWithTheNextStep() {
    String encoded =
        call(global("_codecs", "encode"), text("\u0001\u00ff\u0003\u0004"), text("latin1"));
    String old = array(dtype("f4", "<"), false, encoded, 1);
    assertFails(NpyError.UNSUPPORTED, PATH, () -> read(dict(text("a"), old)));
  }

  @Test
  void pickledGzipIsRefusedWithTheNextStep() {
    assertFails(
        NpyError.COMPRESSED, PATH, () -> read(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0}));
  }

  @Test
  void aPickleWithoutArraysIsRefused() {
    assertFails(NpyError.NO_ARRAYS, PATH, () -> read(NONE));
    assertFails(NpyError.NO_ARRAYS, PATH, () -> read(dict(text("a"), number(1))));
    assertFails(NpyError.UNSUPPORTED, PATH, () -> read(number(1) + "Q"));
  }

  @Test
  void hostileStructuresAreRefusedWithinMemory() {
    String objects = dtype("O8", "|");
    String cycle =
        NumpyPickle.reconstruct(global("numpy", "ndarray"))
            + "q\0"
            + tuple(number(1), tuple(number(1)), objects, "\u0089", list("h\0"))
            + "b";
    assertFails(NpyError.BAD_STRUCTURE, PATH, () -> read(cycle));
    String twins = dict(number(1), floats(1), text("1"), floats(1));
    assertFails(NpyError.BAD_STRUCTURE, PATH, () -> read(twins));
    String beyond = array(dtype("f4", "<"), false, "\u008e" + "\u00ff".repeat(7) + "\0", 1);
    assertFails(PickleError.TRUNCATED, PATH, () -> read(beyond));
    StringBuilder many = new StringBuilder(floats(0) + "q\0" + "0](");
    many.append("h\0".repeat(300_000)).append("e");
    assertFails(
        NpyError.LIMIT_EXCEEDED,
        PATH,
        () -> Allocation.atMost(384 << 20, () -> read(many.toString())));
  }

  @Test
  void nothingIsExecuted() {
    String shell = global("os", "system");
    byte[] pickle = NumpyPickle.bytes(call(shell, text("touch executed")));
    assertThat(new String(pickle, StandardCharsets.ISO_8859_1)).contains("touch");
    assertFails(PickleError.UNSAFE_GLOBAL, PATH, () -> read(pickle));
    assertThat(Files.exists(Path.of("executed"))).isFalse();
  }
}
