package org.saevhadoop.format.torch.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.torch.file.TorchPickle.HOOKS;
import static org.saevhadoop.format.torch.file.TorchPickle.NONE;
import static org.saevhadoop.format.torch.file.TorchPickle.TRUE;
import static org.saevhadoop.format.torch.file.TorchPickle.build;
import static org.saevhadoop.format.torch.file.TorchPickle.call;
import static org.saevhadoop.format.torch.file.TorchPickle.dict;
import static org.saevhadoop.format.torch.file.TorchPickle.global;
import static org.saevhadoop.format.torch.file.TorchPickle.list;
import static org.saevhadoop.format.torch.file.TorchPickle.number;
import static org.saevhadoop.format.torch.file.TorchPickle.real;
import static org.saevhadoop.format.torch.file.TorchPickle.text;
import static org.saevhadoop.format.torch.file.TorchPickle.tuple;
import static org.saevhadoop.format.torch.file.TorchPickle.util;
import static org.saevhadoop.format.torch.file.TorchPickle.vector;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.pickle.value.PickleError;

/** Objects of any class beside tensors. */
class TorchObjectsTest {
  private static final String NEW = ")\u0081";

  /** The objects as CPython 3.11 pickles them with protocol 2. */
  static Stream<Arguments> objects() {
    String namespace = global("argparse", "Namespace") + NEW;
    String date = global("datetime", "datetime");
    String enumeration = call(global("__main__", "Hook"), number(1));
    String ofDict = global("__main__", "Config") + NEW;
    return Stream.of(
        Arguments.of("argparse.Namespace", build(namespace, dict(text("lr"), real(0.1)))),
        Arguments.of(
            "pathlib.PosixPath", call(global("pathlib", "PosixPath"), text("/"), text("a"))),
        Arguments.of("datetime.datetime", call(date, text("\u0007\u00e8"))),
        Arguments.of("__main__.Hook", enumeration),
        Arguments.of("__main__.Config", ofDict + "(" + text("a") + number(1) + "u"),
        Arguments.of("__main__.Config", ofDict + "(" + number(1) + number(2) + "e"),
        Arguments.of("builtins.complex", call(global("builtins", "complex"), real(1), real(2))),
        Arguments.of("builtins.slice", call(global("builtins", "slice"), number(1), NONE, NONE)),
        Arguments.of("__main__.Named", global("__main__", "Named") + ")}\u0092"),
        Arguments.of("__main__.function", global("__main__", "function")),
        Arguments.of(
            "copyreg._reconstructor",
            call(
                global("copyreg", "_reconstructor"),
                global("__main__", "Old"),
                global("builtins", "object"),
                NONE)));
  }

  @ParameterizedTest
  @MethodSource("objects")
  void anObjectBesideTensorsIsLeftOutWithItsName(String type, String object) throws IOException {
    ArrayFile file =
        TorchFile.withTwoStorages(
                dict(
                    text("acts"), vector("0", 6), text("args"), object, text("more"), list(object)))
            .read();
    assertThat(file.arrays()).extracting(FileArray::name).containsExactly("acts");
    assertThat(file.values()).isEmpty();
    assertThat(file.warnings())
        .containsExactly("an object of " + type + " is not read: \"args\" and 1 more");
  }

  @Test
  void objectsAsKeysReplaceNoOtherEntries() throws IOException {
    String first = call(global("__main__", "Hook"), number(1));
    String second = call(global("__main__", "Hook"), number(2));
    ArrayFile file =
        TorchFile.withTwoStorages(
                list(vector("0", 6), dict(first, vector("0", 6), second, vector("1", 6))))
            .read();
    assertThat(file.arrays()).extracting(FileArray::name).containsExactly("0");
    assertThat(file.warnings())
        .containsExactly(
            "an entry whose key is neither a string nor an integer is not read: \"1\" and 1 more");
  }

  @Test
  void keysOfSeveralPartsAreJoinedByPeriods() throws IOException {
    String first = tuple(number(3), text("mlp"));
    String second = tuple(number(3), tuple(text("attn"), number(0)));
    ArrayFile file =
        TorchFile.withTwoStorages(dict(first, vector("0", 6), second, vector("1", 6))).read();
    assertThat(file.arrays()).extracting(FileArray::name).containsExactly("3.mlp", "3.attn.0");
  }

  @Test
  void tensorsWhoseKeysAreNoNamesAreNamedInTheRefusal() throws IOException {
    byte[] file =
        TorchFile.withTwoStorages(dict(real(0.5), vector("0", 6), tuple(), vector("1", 6))).bytes();
    assertThat(
            assertFails(
                    TorchError.UNSUPPORTED, "memory/" + TorchFile.NAME, () -> TorchFile.read(file))
                .getMessage())
        .contains("contains no tensor that can be read in place: an entry whose key is neither");
  }

  @Test
  void classesAreValuesThatAreNotRead() throws IOException {
    String value =
        dict(
            text("type"),
            global("builtins", "dict"),
            text("of"),
            global("numpy", "ndarray"),
            text("kept"),
            vector("0", 6));
    ArrayFile file = TorchFile.withTwoStorages(value).read();
    assertThat(file.arrays()).extracting(FileArray::name).containsExactly("kept");
    assertThat(file.warnings())
        .containsExactly(
            "an object that is neither a tensor nor a plain value is not read: \"type\" and 1 more");
  }

  @Test
  void aTensorOfAnUnknownSubclassIsNotReadAsItsData() throws IOException {
    String subclass =
        call(
            global("torch._tensor", "_rebuild_from_type_v2"),
            util("_rebuild_parameter"),
            global("__main__", "Scaled"),
            tuple(vector("1", 6), TRUE, HOOKS),
            NONE);
    ArrayFile file = TorchFile.withTwoStorages(list(vector("0", 6), subclass)).read();
    assertThat(file.arrays()).extracting(FileArray::name).containsExactly("0");
    assertThat(file.warnings()).containsExactly("an object of __main__.Scaled is not read: \"1\"");
  }

  @Test
  void aFileWithoutTensorsIsRefusedByTheNameOfAnObject() throws IOException {
    byte[] file = TorchFile.of(dict(text("model"), global("__main__", "Model") + NEW)).bytes();
    assertThat(
            assertFails(
                    PickleError.UNSAFE_GLOBAL,
                    "memory/" + TorchFile.NAME,
                    () -> TorchFile.read(file))
                .getMessage())
        .contains("'__main__'.'Model' is not allowed");
  }

  @Test
  void objectsOfManyClassesAreFewWarnings() throws IOException {
    List<String> items = new ArrayList<>(List.of(vector("0", 6)));
    for (int i = 0; i < 1000; i++) {
      items.add(global("__main__", "C" + i) + NEW);
    }
    ArrayFile file = TorchFile.withTwoStorages(list(items.toArray(String[]::new))).read();
    assertThat(file.warnings()).hasSize(101);
    assertThat(file.warnings().get(100)).endsWith("\"101\" and 899 more");
  }
}
