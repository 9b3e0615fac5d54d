package org.saevhadoop.format.torch.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.torch.file.TorchPickle.FALSE;
import static org.saevhadoop.format.torch.file.TorchPickle.HOOKS;
import static org.saevhadoop.format.torch.file.TorchPickle.NONE;
import static org.saevhadoop.format.torch.file.TorchPickle.TRUE;
import static org.saevhadoop.format.torch.file.TorchPickle.build;
import static org.saevhadoop.format.torch.file.TorchPickle.call;
import static org.saevhadoop.format.torch.file.TorchPickle.dict;
import static org.saevhadoop.format.torch.file.TorchPickle.floats;
import static org.saevhadoop.format.torch.file.TorchPickle.global;
import static org.saevhadoop.format.torch.file.TorchPickle.list;
import static org.saevhadoop.format.torch.file.TorchPickle.number;
import static org.saevhadoop.format.torch.file.TorchPickle.numbers;
import static org.saevhadoop.format.torch.file.TorchPickle.real;
import static org.saevhadoop.format.torch.file.TorchPickle.storage;
import static org.saevhadoop.format.torch.file.TorchPickle.tensor;
import static org.saevhadoop.format.torch.file.TorchPickle.tensorV3;
import static org.saevhadoop.format.torch.file.TorchPickle.text;
import static org.saevhadoop.format.torch.file.TorchPickle.torch;
import static org.saevhadoop.format.torch.file.TorchPickle.tuple;
import static org.saevhadoop.format.torch.file.TorchPickle.util;
import static org.saevhadoop.format.torch.file.TorchPickle.vector;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.tensor.DType;

/** Files whose pickles are written by hand. */
class TorchReaderTest {
  private static final byte[] SIX = TorchFile.bytes(24);

  private static ArrayFile read(String value) throws IOException {
    return TorchFile.withTwoStorages(value).read();
  }

  private static FileArray only(ArrayFile file) {
    assertThat(file.arrays()).hasSize(1);
    return file.arrays().get(0);
  }

  private static List<String> names(ArrayFile file) {
    return file.arrays().stream().map(FileArray::name).toList();
  }

  /** Returns the elements of four bytes at some indexes. */
  private static byte[] elements(int... indexes) {
    ByteArrayOutputStream elements = new ByteArrayOutputStream();
    for (int index : indexes) {
      elements.write(SIX, 4 * index, 4);
    }
    return elements.toByteArray();
  }

  private static byte[] readTensor(long offset, long[] size, long[] stride) throws IOException {
    TorchFile file = TorchFile.withTwoStorages(tensor(floats("0", 6), offset, size, stride));
    FileArray array = only(file.read());
    assertThat(array.shape()).isEqualTo(Arrays.stream(size).boxed().toList());
    return file.elements(array);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.pt", "a.b.pth", "last.ckpt", "pytorch_model.bin", ".pt"})
  void filesAreKnownByTheirEndings(String name) {
    assertThat(new TorchReader().isNamed(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pt", "a.pt.lock", "a.npz", "apt", "a.PT", ""})
  void otherFilesAreNotTakenForThem(String name) {
    assertThat(new TorchReader().isNamed(name)).isFalse();
  }

  @Test
  void aBareTensorHasTheNameOfUnnamedArrays() throws IOException {
    TorchFile file = TorchFile.withTwoStorages(vector("1", 6));
    ArrayFile content = file.read();
    FileArray array = only(content);
    assertThat(array.name()).isEqualTo(ArrayFile.UNNAMED);
    assertThat(array.dtype()).isEqualTo(DType.F32);
    assertThat(array.shape()).containsExactly(6L);
    assertThat(array.swapUnit()).isEqualTo(1);
    assertThat(file.elements(array)).isEqualTo(SIX);
    assertThat(content.entries()).hasSize(1);
    assertThat(content.entries().get(0).name()).isEqualTo("archive/data/1");
    assertThat(content.entries().get(0).crc()).isEqualTo(TorchFile.crc(SIX));
    assertThat(content.warnings()).isEmpty();
  }

  @Test
  void viewsAreReadByOffsetSizesAndStrides() throws IOException {
    assertThat(readTensor(0, new long[] {2, 3}, new long[] {3, 1})).isEqualTo(SIX);
    assertThat(readTensor(0, new long[] {3, 2}, new long[] {1, 3}))
        .isEqualTo(elements(0, 3, 1, 4, 2, 5));
    assertThat(readTensor(2, new long[] {2, 2}, new long[] {2, 1})).isEqualTo(elements(2, 3, 4, 5));
    assertThat(readTensor(1, new long[] {3}, new long[] {2})).isEqualTo(elements(1, 3, 5));
    assertThat(readTensor(5, new long[] {}, new long[] {})).isEqualTo(elements(5));
  }

  @Test
  void expandedAndOverlappingViewsAreRead() throws IOException {
    assertThat(readTensor(4, new long[] {3, 2}, new long[] {0, 1}))
        .isEqualTo(elements(4, 5, 4, 5, 4, 5));
    assertThat(readTensor(0, new long[] {2, 2}, new long[] {1, 0})).isEqualTo(elements(0, 0, 1, 1));
    assertThat(readTensor(0, new long[] {3, 3}, new long[] {1, 1}))
        .isEqualTo(elements(0, 1, 2, 1, 2, 3, 2, 3, 4));
  }

  @Test
  void aStrideOfADimensionOfOneDoesNotMatter() throws IOException {
    assertThat(readTensor(0, new long[] {1, 2, 1}, new long[] {Long.MAX_VALUE, 1, 1L << 62}))
        .isEqualTo(elements(0, 1));
  }

  @Test
  void emptyTensorsMayBeAnywhere() throws IOException {
    assertThat(readTensor(0, new long[] {0}, new long[] {1})).isEmpty();
    assertThat(readTensor(1L << 60, new long[] {4, 0, 3}, new long[] {1L << 62, 3, 1})).isEmpty();
    ArrayFile file = TorchFile.of(vector("0", 0)).storage("0", new byte[0]).read();
    assertThat(only(file).shape()).containsExactly(0L);
  }

  @Test
  void tensorsMayShareAStorageWhichIsListedOnce() throws IOException {
    String first = tensor(floats("0", 6), 0, new long[] {2}, new long[] {1});
    String second = tensor(floats("0", 6), 4, new long[] {2}, new long[] {1});
    TorchFile file = TorchFile.withTwoStorages(list(first, second));
    ArrayFile content = file.read();
    assertThat(names(content)).containsExactly("0", "1");
    assertThat(file.elements(content.arrays().get(1))).isEqualTo(elements(4, 5));
    assertThat(content.entries()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "Double, F64",
    "Float, F32",
    "Half, F16",
    "BFloat16, BF16",
    "Long, I64",
    "Int, I32",
    "Short, I16",
    "Char, I8",
    "Byte, U8",
    "Bool, BOOL"
  })
  void theClassOfTheStorageIsTheType(String type, DType dtype) throws IOException {
    int width = dtype.bits() / 8;
    String value =
        tensor(storage(torch(type + "Storage"), "0", 3), 1, new long[] {2}, new long[] {1});
    TorchFile file = TorchFile.of(value).storage("0", Arrays.copyOf(SIX, 3 * width));
    FileArray array = only(file.read());
    assertThat(array.dtype()).isEqualTo(dtype);
    assertThat(file.elements(array)).isEqualTo(Arrays.copyOfRange(SIX, width, 3 * width));
  }

  @ParameterizedTest
  @CsvSource({
    "float8_e4m3fn, F8_E4M3",
    "float8_e5m2, F8_E5M2",
    "float8_e4m3fnuz, F8_E4M3FNUZ",
    "float8_e5m2fnuz, F8_E5M2FNUZ",
    "float8_e8m0fnu, F8_E8M0",
    "uint16, U16",
    "uint32, U32",
    "uint64, U64",
    "bfloat16, BF16"
  })
  void aTensorHasATypeOfItsOwnSinceTorch21(String type, DType dtype) throws IOException {
    String bytes = storage(global("torch.storage", "UntypedStorage"), "0", 24);
    TorchFile file = TorchFile.withTwoStorages(tensorV3(bytes, type, 3));
    FileArray array = only(file.read());
    assertThat(array.dtype()).isEqualTo(dtype);
    assertThat(file.elements(array)).isEqualTo(Arrays.copyOf(SIX, 3 * dtype.bits() / 8));
  }

  /** The name of torch 2, and that of torch 1.12 and 1.13. */
  @ParameterizedTest
  @ValueSource(strings = {"UntypedStorage", "_UntypedStorage"})
  void aStorageWithoutATypeIsBytes(String type) throws IOException {
    String bytes = storage(global("torch.storage", type), "0", 24);
    TorchFile file = TorchFile.withTwoStorages(tensor(bytes, 1, new long[] {3}, new long[] {2}));
    assertThat(only(file.read()).dtype()).isEqualTo(DType.U8);
  }

  @ParameterizedTest
  @CsvSource({"little, 1, 1, 1", "big, 4, 2, 1"})
  void theByteOrderIsThatOfTheEntry(String order, int floats, int halves, int bytes)
      throws IOException {
    String half = tensor(storage(torch("HalfStorage"), "1", 6), 0, new long[] {1}, new long[] {1});
    String untyped = storage(global("torch.storage", "UntypedStorage"), "2", 24);
    ArrayFile file =
        TorchFile.withTwoStorages(list(vector("0", 6), half, tensorV3(untyped, "float8_e5m2", 4)))
            .storage("2", SIX)
            .with("byteorder", TorchFile.ascii(order))
            .read();
    assertThat(file.arrays())
        .extracting(FileArray::swapUnit)
        .containsExactly(floats, halves, bytes);
  }

  @Test
  void namesAreThePathsThroughContainers() throws IOException {
    String ordered =
        build(
            call(global("collections", "OrderedDict"))
                + "("
                + text("layer.weight")
                + vector("0", 6)
                + "u",
            dict(text("_metadata"), call(global("collections", "OrderedDict"))));
    String value =
        dict(
            text("hidden_states"),
            list(vector("0", 6), tuple(vector("1", 6))),
            number(13),
            dict(text("x"), vector("1", 6)),
            text("state"),
            ordered);
    assertThat(names(read(value)))
        .containsExactly("hidden_states.0", "hidden_states.1.0", "13.x", "state.layer.weight");
  }

  @Test
  void aSharedContainerIsListedForEachOfItsPaths() throws IOException {
    String value =
        TorchPickle.memo(
            List.of(list(vector("0", 6))),
            dict(text("a"), TorchPickle.recall(0), text("b"), TorchPickle.recall(0)));
    assertThat(names(read(value))).containsExactly("a.0", "b.0");
  }

  @Test
  void valuesBesideTheTensorsAreReturned() throws IOException {
    String value =
        dict(
            text("loss"),
            real(0.5),
            text("steps"),
            list(number(7), NONE, number(-1)),
            text("model"),
            text("gpt2"),
            text("done"),
            TRUE,
            text("size"),
            call(torch("Size"), numbers(2, 3)),
            text("dtype"),
            torch("bfloat16"),
            text("device"),
            call(torch("device"), text("cuda"), number(0)));
    ArrayFile file = read(value);
    assertThat(file.values().entrySet())
        .extracting(Object::toString)
        .containsExactly(
            "loss=0.5",
            "steps.0=7",
            "steps.2=-1",
            "model=gpt2",
            "done=true",
            "size.0=2",
            "size.1=3",
            "dtype=torch.bfloat16",
            "device=cuda");
    assertThat(file.values()).containsEntry("loss", 0.5).containsEntry("steps.0", 7L);
    assertThat(file.values()).containsEntry("done", true);
  }

  @Test
  void parametersAndTensorsWithAttributesAreTensors() throws IOException {
    String parameter = call(util("_rebuild_parameter"), vector("0", 6), TRUE, HOOKS);
    String state =
        call(
            util("_rebuild_parameter_with_state"),
            vector("0", 6),
            TRUE,
            HOOKS,
            dict(text("tag"), text("x")));
    String subclass =
        call(
            global("torch._tensor", "_rebuild_from_type_v2"),
            util("_rebuild_parameter"),
            global("torch.nn.parameter", "Parameter"),
            tuple(vector("1", 6), TRUE, HOOKS),
            dict(text("tag"), text("x")));
    TorchFile file = TorchFile.withTwoStorages(list(parameter, state, subclass));
    ArrayFile content = file.read();
    assertThat(names(content)).containsExactly("0", "1", "2");
    assertThat(content.values()).isEmpty();
    assertThat(file.elements(content.arrays().get(2))).isEqualTo(SIX);
  }

  @Test
  void whatIsNotReadIsNamedInWarnings() throws IOException {
    String complex =
        tensor(storage(torch("ComplexFloatStorage"), "1", 3), 0, new long[] {3}, new long[] {1});
    String conj =
        call(
            util("_rebuild_tensor_v2"),
            floats("0", 6),
            number(0),
            numbers(6),
            numbers(1),
            FALSE,
            HOOKS,
            dict(text("neg"), TRUE));
    String array =
        global("numpy.core.multiarray", "_reconstruct")
            + tuple(global("numpy", "ndarray"), numbers(0), "U\1b")
            + "R"
            + tuple(
                number(1),
                numbers(1),
                global("numpy", "dtype") + tuple(text("u1"), FALSE, TRUE) + "R",
                FALSE,
                "U\1x")
            + "b";
    String value =
        dict(
            text("kept"),
            vector("0", 6),
            text("complex"),
            list(complex, complex),
            text("negative"),
            conj,
            text("array"),
            array,
            text("prompt"),
            text("x".repeat(2000)),
            real(0.5),
            number(2));
    ArrayFile file = read(value);
    assertThat(names(file)).containsExactly("kept");
    assertThat(file.warnings())
        .containsExactly(
            "a tensor of torch.complex64 is not read: \"complex.0\" and 1 more",
            "a tensor whose conj or neg bit is set is not read: \"negative\"",
            "an array of numpy, which is within the pickle (torch.from_numpy(x) is read), is not"
                + " read: \"array\"",
            "a string of more than 1024 bytes is not read: \"prompt\"",
            "an entry whose key is neither a string nor an integer is not read: \"array\"");
  }

  @Test
  void aQuantizedTensorIsNotRead() throws IOException {
    String quantized =
        call(
            util("_rebuild_qtensor"),
            storage(torch("QInt8Storage"), "1", 24),
            number(0),
            numbers(24),
            numbers(1),
            tuple(torch("per_tensor_affine"), real(0.5), number(0)),
            FALSE,
            HOOKS);
    ArrayFile file = read(list(vector("0", 6), quantized));
    assertThat(names(file)).containsExactly("0");
    assertThat(file.warnings()).containsExactly("a tensor of torch.qint8 is not read: \"1\"");
  }

  @Test
  void numpyScalarsAreValuesAndKeys() throws IOException {
    String type = global("numpy", "dtype") + tuple(text("i8"), FALSE, TRUE) + "R";
    String scalar =
        global("numpy.core.multiarray", "scalar") + tuple(type, "U\u0008\5\0\0\0\0\0\0\0") + "R";
    ArrayFile file = read(dict(scalar, scalar));
    assertThat(file.values()).isEqualTo(Map.of("5", 5L));
  }

  @Test
  void listsOfIntegersAreArraysBehindTheEndOfTheFile() throws IOException {
    String value =
        dict(
            text("ids"),
            list(number(7), number(-1)),
            text("mask"),
            list(list(TRUE, FALSE), list(TRUE, TRUE), list(FALSE, TRUE)),
            text("uneven"),
            list(list(number(1)), list(number(2), number(3))),
            text("mixed"),
            list(number(1), TRUE),
            text("none"),
            list());
    TorchFile torch = TorchFile.withTwoStorages(value);
    ArrayFile file = torch.read();
    assertThat(names(file)).containsExactly("ids", "mask");
    assertThat(file.arrays().get(1).shape()).containsExactly(3L, 2L);
    assertThat(file.values())
        .containsOnlyKeys("uneven.0.0", "uneven.1.0", "uneven.1.1", "mixed.0", "mixed.1");
    MemoryStorage folder = new MemoryStorage("/data");
    byte[] bytes = torch.bytes();
    folder.put("x.pt", bytes);
    ByteBuffer all = ByteBuffer.allocate(8 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (Input in = new TorchReader().elements(folder, "x.pt", "mask")) {
      assertThat(file.arrays().get(0).layout().offset()).isEqualTo(in.length());
      in.readFully(in.length(), all);
      assertThat(all.flip().asLongBuffer())
          .isEqualTo(LongBuffer.wrap(new long[] {7, -1, 1, 0, 1, 1, 0, 1}));
      ByteBuffer start = ByteBuffer.allocate(4);
      in.readFully(0, start);
      assertThat(start.array()).startsWith('P', 'K');
      assertFails(FileError.TRUNCATED, "x.pt", () -> in.readFully(in.length() + 8, all.clear()));
    }
  }

  @Test
  void onlyTheFirstValuesAreReturned() throws IOException {
    String[] items = new String[70_000];
    Arrays.fill(items, "K\1");
    items[0] = real(0.5); // not a list of integers
    ArrayFile file = read(dict(text("ids"), list(items), text("x"), vector("0", 6)));
    assertThat(file.values()).hasSize(65_536).containsEntry("ids.65535", 1L);
    assertThat(names(file)).containsExactly("x");
    assertThat(file.warnings())
        .containsExactly("a value beyond the first 65536 is not read: \"ids.65536\" and 4463 more");
  }

  @Test
  void aFileWithoutTensorsHasNoArrays() throws IOException {
    ArrayFile file = read(dict(text("a"), number(1)));
    assertThat(file.arrays()).isEmpty();
    assertThat(file.values()).isEqualTo(Map.of("a", 1L));
  }

  @Test
  void anotherChecksumOfThePickleIsAWarning() throws IOException {
    byte[] file = TorchFile.withTwoStorages(vector("0", 6)).bytes();
    long crc = TorchFile.crc(TorchPickle.bytes(vector("0", 6)));
    for (int at = 0; at + 4 <= file.length; at++) {
      if (intAt(file, at) == (int) crc) {
        file[at] ^= 1;
      }
    }
    ArrayFile content = TorchFile.read(file);
    assertThat(names(content)).containsExactly(ArrayFile.UNNAMED);
    assertThat(content.warnings()).hasSize(1);
    assertThat(content.warnings().get(0)).startsWith("entry \"archive/data.pkl\" has CRC-32 ");
  }

  private static int intAt(byte[] bytes, int at) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
  }
}
