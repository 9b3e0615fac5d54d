package org.saevhadoop.format.pickle.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.testing.Python;

/** Pickles by hand, in which a character is a byte, and by CPython. */
class PersistentLoaderTest {
  private static Object read(byte[] pickle, PersistentLoader loader) throws IOException {
    MemoryPayloads payloads = new MemoryPayloads(1000);
    return PickleReader.read(StreamSource.of(pickle), payloads, PickleLimits.DEFAULT, loader);
  }

  private static Object read(String pickle, PersistentLoader loader) throws IOException {
    return read(pickle.getBytes(StandardCharsets.ISO_8859_1), loader);
  }

  @Test
  void protocol0NamesAnIdByALine() throws IOException {
    assertThat(read("Pstorage 7\n.", id -> "found " + id)).isEqualTo("found storage 7");
    assertThat(read("P\n.", id -> id)).isEqualTo("");
  }

  @Test
  void protocol2NamesAnIdByAnyObject() throws IOException {
    List<Object> ids = new ArrayList<>();
    Object value =
        read(
            "\u0080\2](X\7\0\0\0storageX\3\0\0\0cpuK\6tQaK\5Qa.",
            id -> {
              ids.add(id);
              return (long) ids.size();
            });
    assertThat(ids)
        .containsExactly(new PythonValue.Tuple(List.of("storage", "cpu", 6L)), (Object) 5L);
    PythonValue.PyList list = (PythonValue.PyList) value;
    assertThat(list.get(0)).isEqualTo(1L);
    assertThat(list.get(1)).isEqualTo(2L);
  }

  @Test
  void anIdIsAllThatIsTakenFromTheStack() throws IOException {
    assertThat(read("K\1K\2Q\u0086.", id -> null))
        .isEqualTo(new PythonValue.Tuple(Arrays.asList(1L, null)));
    assertFails(PickleError.BAD_PICKLE, "test", () -> read("Q.", id -> id));
    assertFails(PickleError.BAD_PICKLE, "test", () -> read("(Q.", id -> id));
  }

  @Test
  void idsInABadLineAreRefused() {
    assertFails(PickleError.BAD_OPCODE_ARG, "test", () -> read("P\u00e9\n.", id -> id));
    assertFails(PickleError.TRUNCATED, "test", () -> read("Pabc", id -> id));
    assertFails(
        PickleError.LIMIT_EXCEEDED, "test", () -> read("P" + "a".repeat(1025) + "\n.", id -> id));
  }

  @Test
  void theErrorOfALoaderIsThatOfTheReader() {
    IOException unknown = new IOException("unknown");
    assertThatThrownBy(
            () ->
                read(
                    "P1\n.",
                    id -> {
                      throw unknown;
                    }))
        .isSameAs(unknown);
  }

  /** A function whose result shows its arguments. */
  private enum Function implements PickleFunction {
    JOIN;

    @Override
    public Object call(String path, List<Object> args) {
      return path + args;
    }
  }

  /** Allows the globals test.join, which joins texts, and test.one, which is 1. */
  private static final PersistentLoader JOINING =
      new PersistentLoader() {
        @Override
        public Object load(Object id) {
          return id;
        }

        @Override
        public Object find(String module, String name) {
          return Map.of("test.join", Function.JOIN, "test.one", 1L).get(module + "." + name);
        }
      };

  @Test
  void globalsOfTheLoaderAreCalled() throws IOException {
    for (String call :
        List.of("ctest\njoin\n(K\1K\2tR.", "(ctest\njoin\nK\1K\2o.", "(K\1K\2itest\njoin\n.")) {
      assertThat(read(call, JOINING)).isEqualTo("test[1, 2]");
    }
    assertThat(read("\u0080\4\u008c\4test\u008c\3one\u0093.", JOINING)).isEqualTo(1L);
    assertThat(read("c__builtin__\nlist\n)R.", JOINING)).isInstanceOf(PythonValue.PyList.class);
  }

  @Test
  void whatTheLoaderDoesNotAllowIsRefused() {
    for (String pickle :
        List.of(
            "ctest\neval\n.",
            "cos\nsystem\n.",
            "ctest\njoin\n)\u0081.",
            "ctest\njoin\n)}\u0092.")) {
      assertFails(PickleError.UNSAFE_GLOBAL, "test", () -> read(pickle, JOINING));
    }
    assertFails(PickleError.BAD_PICKLE, "test", () -> read("ctest\none\n)R.", JOINING));
    assertFails(PickleError.BAD_PICKLE, "test", () -> read("ctest\njoin\n]R.", JOINING));
    assertFails(PickleError.UNSAFE_GLOBAL, "test", () -> read("ctest\njoin\n.", id -> id));
  }

  private static void takesNoMoreThan(int stack, String pickle, PersistentLoader loader) {
    PickleLimits limits = new PickleLimits(1 << 18, stack, 40, 1 << 14, 64, 4000, 8, 1);
    byte[] bytes = pickle.getBytes(StandardCharsets.ISO_8859_1);
    assertFails(
        PickleError.LIMIT_EXCEEDED,
        "test",
        () -> PickleReader.read(StreamSource.of(bytes), new MemoryPayloads(1), limits, loader));
  }

  @Test
  void callsWithoutEndTakeNoMemoryWithoutEnd() {
    String pickle = "(" + "ctest\njoin\n)R".repeat(10_000) + "t.";
    takesNoMoreThan(1 << 16, pickle, JOINING);
  }

  @Test
  void attributesOfAnOrderedDictAreIgnored() throws IOException {
    String empty = "ccollections\nOrderedDict\n)R";
    PythonValue.Dict dict = (PythonValue.Dict) read(empty + "K\1K\2s}K\1K\3sb.", id -> id);
    assertThat(dict.size()).isEqualTo(1);
    assertThat(dict.value(0)).isEqualTo(2L);
    assertFails(PickleError.BAD_PICKLE, "test", () -> read(empty + "K\1b.", id -> id));
    assertFails(PickleError.BAD_PICKLE, "test", () -> read("}}b.", id -> id));
  }

  @Test
  void idsWithoutEndTakeNoMemoryWithoutEnd() {
    String pickle = "K\1" + "Q".repeat(10_000) + ".";
    takesNoMoreThan(1 << 10, pickle, id -> id);
  }

  @Test
  @Tag("python")
  void cpythonNamesIdsInAllProtocols() throws Exception {
    String script =
        """
        import io, pickle
        class Stored(str): pass
        class Pickler(pickle.Pickler):
            def persistent_id(self, value):
                return 'id ' + str(value) if type(value) is Stored else None
        class Unpickler(pickle.Unpickler):
            def persistent_load(self, id):
                return id + '!'
        for protocol in range(6):
            file = io.BytesIO()
            Pickler(file, protocol).dump((Stored('a'), 1, Stored('b')))
            assert Unpickler(io.BytesIO(file.getvalue())).load() == ('id a!', 1, 'id b!')
            print(file.getvalue().hex())
        """;
    List<String> pickles = Python.MACHINE.run(script);
    assertThat(pickles).hasSize(6);
    for (String pickle : pickles) {
      assertThat(read(HexFormat.of().parseHex(pickle), id -> id + "!"))
          .isEqualTo(new PythonValue.Tuple(List.of("id a!", 1L, "id b!")));
    }
  }
}
