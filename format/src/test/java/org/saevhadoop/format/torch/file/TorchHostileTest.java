package org.saevhadoop.format.torch.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;
import static org.saevhadoop.format.torch.file.TorchPickle.FALSE;
import static org.saevhadoop.format.torch.file.TorchPickle.HOOKS;
import static org.saevhadoop.format.torch.file.TorchPickle.TRUE;
import static org.saevhadoop.format.torch.file.TorchPickle.call;
import static org.saevhadoop.format.torch.file.TorchPickle.dict;
import static org.saevhadoop.format.torch.file.TorchPickle.floats;
import static org.saevhadoop.format.torch.file.TorchPickle.global;
import static org.saevhadoop.format.torch.file.TorchPickle.list;
import static org.saevhadoop.format.torch.file.TorchPickle.memo;
import static org.saevhadoop.format.torch.file.TorchPickle.number;
import static org.saevhadoop.format.torch.file.TorchPickle.numbers;
import static org.saevhadoop.format.torch.file.TorchPickle.recall;
import static org.saevhadoop.format.torch.file.TorchPickle.storage;
import static org.saevhadoop.format.torch.file.TorchPickle.tensor;
import static org.saevhadoop.format.torch.file.TorchPickle.tensorV3;
import static org.saevhadoop.format.torch.file.TorchPickle.text;
import static org.saevhadoop.format.torch.file.TorchPickle.torch;
import static org.saevhadoop.format.torch.file.TorchPickle.tuple;
import static org.saevhadoop.format.torch.file.TorchPickle.util;
import static org.saevhadoop.format.torch.file.TorchPickle.vector;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.zip.ZipError;
import org.saevhadoop.testing.Allocation;

/** Files that lie, ask for memory or time, or would run code in Python. */
class TorchHostileTest {
  private static final String PATH = "memory/" + TorchFile.NAME;
  private static final long MAX_ALLOCATED = 256L << 20;
  private static final String[] NOTHING = {};

  @TempDir Path folder;

  /** A file and the kind of its error. */
  private static Arguments file(ErrorKind kind, String what, TorchFile file) {
    return arguments(kind, what, file.bytes());
  }

  /** A value in a file with the storages 0 and 1, each of 6 float32 values. */
  private static Arguments value(ErrorKind kind, String what, String value) {
    return file(kind, what, TorchFile.withTwoStorages(value));
  }

  private static Arguments tensorOf(String what, long offset, long[] size, long[] stride) {
    return value(TorchError.BAD_TENSOR, what, tensor(floats("0", 6), offset, size, stride));
  }

  private static long[] longs(long... values) {
    return values;
  }

  static Stream<Arguments> foreignGlobals() {
    return Stream.of(
            global("os", "system"),
            global("posix", "system"),
            global("nt", "system"),
            global("builtins", "eval"),
            global("__builtin__", "exec"),
            global("subprocess", "Popen"),
            global("torch.serialization", "load"),
            global("torch.hub", "load"),
            torch("load"),
            torch("storage.UntypedStorage"),
            global("torch._utils", "_rebuild_tensor_v2.__globals__"),
            util("_import_dotted_name"),
            util("_rebuild_sparse_tensor"),
            global("torch.nn.modules.linear", "Linear"),
            global("pathlib", "PosixPath"))
        .map(
            global ->
                value(
                    PickleError.UNSAFE_GLOBAL,
                    global.replace('\n', ' '),
                    call(global, text("touch x"))));
  }

  static Stream<Arguments> calls() {
    String fromType = global("torch._tensor", "_rebuild_from_type_v2");
    String tensorV2 = util("_rebuild_tensor_v2");
    return Stream.of(
        value(PickleError.UNSAFE_GLOBAL, "a function as a class", tensorV2 + ")\u0081"),
        value(PickleError.UNSAFE_GLOBAL, "an extension", "\u0082\1"),
        value(PickleError.BAD_PICKLE, "a call of a type", call(torch("float32"))),
        value(PickleError.BAD_PICKLE, "a call of a tensor", call(vector("0", 6))),
        value(PickleError.BAD_PICKLE, "a state of a tensor", vector("0", 6) + "}b"),
        value(PickleError.BAD_PICKLE, "a tensor as a key", dict(vector("0", 6), number(1))),
        value(TorchError.BAD_TENSOR, "no arguments", call(tensorV2)),
        value(TorchError.BAD_TENSOR, "a storage alone", call(tensorV2, floats("0", 6))),
        value(
            TorchError.BAD_TENSOR,
            "a tensor without hooks",
            call(tensorV2, floats("0", 6), number(0), numbers(1), numbers(1), FALSE)),
        value(
            TorchError.BAD_TENSOR,
            "a number as a storage",
            tensor(number(1), 0, longs(1), longs(1))),
        value(TorchError.BAD_TENSOR, "a number as a type", tensorV3(floats("0", 6), "device", 3)),
        value(
            TorchError.BAD_TENSOR,
            "a parameter of a number",
            call(util("_rebuild_parameter"), number(1), TRUE, HOOKS)),
        value(
            TorchError.BAD_TENSOR,
            "a function that calls itself",
            call(fromType, fromType, torch("Tensor"), tuple(NOTHING), dict(NOTHING))),
        value(TorchError.BAD_TENSOR, "a size of a number", call(torch("Size"), number(1))));
  }

  static Stream<Arguments> tensors() {
    long huge = 1L << 62;
    return Stream.of(
        tensorOf("a negative size", 0, longs(-1), longs(1)),
        tensorOf("a size beyond the storage", 0, longs(7), longs(1)),
        tensorOf("a size of 2^62", 0, longs(huge), longs(1)),
        tensorOf("sizes whose product overflows", 0, longs(huge, 4), longs(0, 0)),
        tensorOf(
            "an empty shape whose other sizes overflow", 0, longs(0, huge, huge), longs(0, 0, 0)),
        tensorOf("an expanded view of 2^63 bytes", 0, longs(1L << 61), longs(0)),
        tensorOf("a negative stride", 5, longs(6), longs(-1)),
        tensorOf("a stride beyond the storage", 0, longs(2), longs(6)),
        tensorOf("a stride of 2^62", 0, longs(3), longs(huge)),
        tensorOf("strides whose sum overflows", 0, longs(2, 2), longs(huge, huge)),
        tensorOf("an offset after the storage", 6, longs(1), longs(1)),
        tensorOf("a negative offset", -1, longs(1), longs(1)),
        tensorOf("an offset of 2^62", huge, longs(1), longs(1)),
        tensorOf("an offset of 2^63-1", Long.MAX_VALUE, longs(2), longs(1)),
        tensorOf("fewer strides than sizes", 0, longs(2, 3), longs(1)),
        value(
            TorchError.BAD_TENSOR,
            "elements that are wider than those of the storage",
            tensorV3(storage(torch("ByteStorage"), "0", 24), "float64", 4)),
        value(
            TorchError.LIMIT_EXCEEDED,
            "17 dimensions",
            tensor(floats("0", 6), 0, new long[17], new long[17])),
        value(
            TorchError.BAD_TENSOR,
            "a list of sizes",
            call(
                util("_rebuild_tensor_v2"),
                floats("0", 6),
                number(0),
                list(number(6)),
                numbers(1),
                FALSE,
                HOOKS)),
        value(
            TorchError.BAD_TENSOR,
            "sizes that are texts",
            call(
                util("_rebuild_tensor_v2"),
                floats("0", 6),
                number(0),
                tuple(text("6")),
                numbers(1),
                FALSE,
                HOOKS)));
  }

  static Stream<Arguments> storages() {
    String id = tuple(text("storage"), torch("FloatStorage"), text("0"), text("cpu"), number(6));
    return Stream.of(
        value(TorchError.BAD_STORAGE, "more elements than the entry has", vector("0", 7)),
        value(TorchError.BAD_STORAGE, "2^62 elements", vector("0", 1L << 62)),
        value(TorchError.BAD_STORAGE, "a negative number of elements", floats("0", -1)),
        value(TorchError.BAD_STORAGE, "a storage without an entry", vector("2", 6)),
        value(TorchError.BAD_STORAGE, "an entry outside of data", vector("../data.pkl", 6)),
        value(TorchError.BAD_STORAGE, "a type as a class", storage(torch("float32"), "0", 6)),
        value(
            TorchError.BAD_STORAGE,
            "two types",
            list(vector("0", 6), storage(torch("IntStorage"), "0", 6))),
        value(TorchError.BAD_STORAGE, "an id that is a number", number(1) + "Q"),
        value(TorchError.BAD_STORAGE, "an id that is a line", "P0\n"),
        value(
            TorchError.BAD_STORAGE,
            "a module",
            tuple(text("module"), torch("Tensor"), text("x"), text("y"), number(6)) + "Q"),
        value(TorchError.BAD_STORAGE, "an id in an id", tuple(text("storage"), id, id) + "Q"),
        file(
            TorchError.COMPRESSED,
            "a compressed storage",
            TorchFile.withTwoStorages(vector("0", 6)).deflate("data/0")));
  }

  /** Returns lists of lists, each twice in the next one, as text in the memo. */
  private static List<String> doubled(String innermost, int times) {
    List<String> lists = new ArrayList<>(List.of(innermost));
    for (int i = 0; i < times; i++) {
      lists.add(list(recall(i), recall(i)));
    }
    return lists;
  }

  static Stream<Arguments> structures() {
    String name = "n".repeat(1000);
    String complex = tensor(storage(torch("ComplexFloatStorage"), "1", 3), 0, longs(3), longs(1));
    return Stream.of(
        value(
            TorchError.BAD_STRUCTURE,
            "a list in itself",
            memo(List.of("]"), recall(0) + recall(0) + "a")),
        value(
            TorchError.BAD_STRUCTURE,
            "a dictionary in its list",
            memo(List.of("}"), recall(0) + text("x") + list(recall(0)) + "s")),
        value(
            TorchError.BAD_STRUCTURE,
            "one name for two tensors",
            dict(number(1), vector("0", 6), text("1"), vector("1", 6))),
        value(
            TorchError.BAD_STRUCTURE,
            "one path for two tensors",
            dict(text("a.b"), vector("0", 6), text("a"), dict(text("b"), vector("1", 6)))),
        value(
            PickleError.LIMIT_EXCEEDED,
            "100,000 nested lists",
            "]".repeat(100_000) + "a".repeat(99_999)),
        value(
            PickleError.LIMIT_EXCEEDED,
            "lists that double 60 times",
            memo(doubled(vector("0", 6), 60), recall(60))),
        value(
            TorchError.LIMIT_EXCEEDED,
            "a tensor 2^20 times",
            memo(doubled(vector("0", 6), 20), recall(20))),
        value(
            TorchError.LIMIT_EXCEEDED,
            "a name of 5,000 characters",
            dict(
                text(name),
                dict(
                    text(name),
                    dict(text(name), dict(text(name), dict(text(name), vector("0", 6))))))),
        value(TorchError.UNSUPPORTED, "only complex numbers", complex),
        value(PickleError.TRUNCATED, "a text of 2^62 bytes", "\u008d\0\0\0\0\0\0\0\u0040"),
        value(PickleError.LIMIT_EXCEEDED, "numbers without end", "(" + "N".repeat(2_000_000) + "t"),
        value(PickleError.TRAILING_DATA, "two pickles", number(1) + ".N"),
        file(
            PickleError.TRUNCATED,
            "a pickle that is cut",
            TorchFile.of(new byte[] {(byte) 0x80, 2, '('})),
        file(PickleError.TRUNCATED, "an empty pickle", TorchFile.of(new byte[0])));
  }

  static Stream<Arguments> archives() {
    TorchFile good = TorchFile.withTwoStorages(vector("0", 6));
    byte[] bomb = TorchPickle.bytes("(" + "N".repeat(10_000_000) + "t");
    byte[] twice =
        new String(good.bytes(), StandardCharsets.ISO_8859_1)
            .replace("archive/data/1", "archive/data/0")
            .getBytes(StandardCharsets.ISO_8859_1);
    byte[] magic =
        "\u0080\2\u008a\nl\u00fc\u009cF\u00f9 j\u00a8P\31.".getBytes(StandardCharsets.ISO_8859_1);
    return Stream.of(
        file(
            TorchError.COMPRESSED,
            "a pickle that is a bomb",
            TorchFile.of(bomb).deflate("data.pkl")),
        file(
            TorchError.COMPRESSED,
            "a compressed byte order",
            TorchFile.of("N").with("byteorder", TorchFile.ascii("big")).deflate("byteorder")),
        file(
            TorchError.BAD_BYTE_ORDER,
            "another byte order",
            TorchFile.of("N").with("byteorder", TorchFile.ascii("middle\nendian and so on"))),
        file(
            TorchError.TORCH_SCRIPT,
            "a compiled module",
            TorchFile.of("N").with("constants.pkl", TorchPickle.bytes(")"))),
        file(
            TorchError.TORCH_SCRIPT,
            "code",
            TorchFile.of("N").with("code/__torch__.py", TorchFile.ascii("x"))),
        file(TorchError.NOT_TORCH, "no pickle", TorchFile.of("N").without("data.pkl")),
        file(
            TorchError.NOT_TORCH,
            "two folders",
            TorchFile.of("N").withEntry("other/data/0", new byte[4])),
        file(
            TorchError.NOT_TORCH,
            "an entry in the root",
            new TorchFile().withEntry("data.pkl", TorchPickle.bytes("N"))),
        file(
            ZipError.BAD_NAME,
            "a name with a backslash",
            new TorchFile().withEntry("a\\data.pkl", TorchPickle.bytes("N"))),
        arguments(ZipError.DUPLICATE_NAME, "two entries of one name", twice),
        arguments(ZipError.TRUNCATED, "a file that is cut", Arrays.copyOf(good.bytes(), 200)),
        arguments(TorchError.LEGACY, "the legacy form", magic),
        arguments(TorchError.NOT_TORCH, "an empty file", new byte[0]),
        arguments(TorchError.NOT_TORCH, "a pickle alone", TorchPickle.bytes(number(1))),
        arguments(TorchError.NOT_TORCH, "raw values", new byte[4096]));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource({"foreignGlobals", "calls", "tensors", "storages", "structures", "archives"})
  void hostileFilesAreRefusedInOneLine(ErrorKind kind, String what, byte[] file) {
    FormatException error =
        assertFails(kind, PATH, () -> Allocation.atMost(MAX_ALLOCATED, () -> TorchFile.read(file)));
    assertThat(error.getMessage()).as(what).hasLineCount(1).hasSizeLessThan(400);
  }

  @Test
  void nothingIsExecuted() {
    Path trace = folder.resolve("trace");
    for (String shell : List.of(global("os", "system"), global("posix", "system"))) {
      byte[] file = TorchFile.of(call(shell, text("touch " + trace))).bytes();
      assertFails(PickleError.UNSAFE_GLOBAL, PATH, () -> TorchFile.read(file));
    }
    assertThat(Files.exists(trace)).isFalse();
  }

  @Test
  void everyTruncationOfAPickleIsRefused() {
    byte[] pickle = TorchPickle.bytes(list(vector("0", 6), vector("1", 6)));
    for (int length = 1; length < pickle.length; length++) {
      TorchFile file = TorchFile.of(Arrays.copyOf(pickle, length));
      file.storage("0", new byte[24]).storage("1", new byte[24]);
      assertFailsWithAnyText(PickleError.TRUNCATED, PATH, file::read);
    }
  }
}
