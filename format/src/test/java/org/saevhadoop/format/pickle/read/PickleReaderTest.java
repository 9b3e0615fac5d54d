package org.saevhadoop.format.pickle.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.pickle.Opcode;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;

/** Pickles by hand: a character of the texts here is a byte. */
@Tag("late")
class PickleReaderTest {
  private static final String ARRAY =
      "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\0\u0085C\1btR";
  private static final String F4 =
      "cnumpy\ndtype\n(\u008c\2f4\u0089\u0088tR(K\3\u008c\1<NNNJ\u00ff\u00ff\u00ff\u00ffJ\u00ff\u00ff\u00ff\u00ffK\0tb";
  private static final String F4_WITHOUT_STATE = "cnumpy\ndtype\n(\u008c\2f4\u0089\u0088tR";
  private static final String ONE_FLOAT = ARRAY + "(K\1K\1\u0085" + F4 + "\u0089C\4abcdtb";

  private static byte[] bytes(String pickle) {
    return pickle.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static Object read(String pickle) throws IOException {
    return Loaded.of(StreamSource.of(bytes(pickle))).value();
  }

  private static void assertRefused(PickleError error, String pickle) {
    assertFails(error, "test", () -> read(pickle));
  }

  @Test
  void everyOpcodeOfPythonIsKnown() {
    assertThat(IntStream.range(0, 256).filter(Opcode::isKnown)).hasSize(68);
  }

  @Test
  void aGlobalThatIsNotBuiltIsReportedWithItsPositionEvenIfNothingCallsIt() {
    assertRefused(PickleError.UNSAFE_GLOBAL, "\u0080\4]cos\nsystem\n0.");
  }

  private static final Map<PickleError, List<String>> REFUSED =
      Map.of(
          PickleError.UNSAFE_GLOBAL,
          List.of(
              "\u008c\5numpy\u008c\22ndarray.__subclass\u0093.",
              "\u008c\5Numpy\u008c\7ndarray\u0093.",
              "\u008c\13numpy.core.\u008c\12multiarray\u0093.",
              "c__builtin__\neval\n.",
              "\u0080\4c__builtin__\nset\n.",
              "cml_dtypes\nfinfo\n.",
              "(ios\nsystem\n.",
              "P1\n.",
              "K\1Q.",
              "\u0082\1.",
              "\u0083\1\1.",
              "\u0084\1\1\1\1.",
              "\u0097.",
              "N\u0098.",
              "cnumpy\nndarray\n)R.",
              "cnumpy\nndarray\n)\u0081.",
              "cnumpy\nndarray\n)}\u0092.",
              "(cnumpy\nndarray\no.",
              "ccollections\ndefaultdict\ncnumpy\ndtype\n\u0085R.",
              "c_codecs\nencode\n(\u008c\1a\u008c\4zlibtR.",
              "N.cos\nsystem\n.",
              "N.\u0080\4\u008c\2os\u008c\6system\u0093."),
          PickleError.NOT_A_PICKLE,
          List.of(
              "\0\0",
              "{\"a\": 1}",
              "\u0093NUMPY\1\0",
              "\u0089HDF\r\n",
              "PK\3\4",
              "PAR1",
              "\u001f\u008b\10",
              "\u00ff."),
          PickleError.TRUNCATED,
          List.of(
              "",
              "\u0080",
              "\u0080\4N",
              "U\5abcd",
              "I12",
              "cos",
              "B\u00ff\u00ff\u00ff\u00ffabc",
              "X\u00ff\u00ff\u00ff\u00ffabc",
              "\u0096\0\0\0\0\0\1\0\0abc",
              "\u008d\0\0\0\0\0\0\0\100abc",
              "\u0080\4\u0095\u00ff\0\0\0\0\0\0\0N.",
              "\u0080\4\u0095\u00ff\0\0\0\0\0\0\0a."),
          PickleError.BAD_PICKLE,
          List.of(
              "\u0080\6N.",
              "0.",
              "(N.",
              "]N}e.",
              "Na.",
              "]K\1s.",
              "(K\1d.",
              "Nq\0h\1.",
              "F1_0\n.",
              "I010\n.",
              "I-0\n.",
              "Sabc\n.",
              "S'a\\'\n.",
              "U\1\u00ff.",
              "X\2\0\0\0\u00c0\u0080.",
              "X\1\0\0\0\u00c3.",
              "V\\u12\n.",
              "V\\U00110000\n.",
              "}]Ns.",
              "}\u0088]\u0085Ns.",
              "N}b.",
              "]}b.",
              "N)R.",
              "cbuiltins\nlist\n.",
              "K\1K\2\u0093.",
              "N\u00ff.",
              "N(\u00850.",
              "](a.",
              "N(q\0.",
              "N(2.",
              "cbuiltins\nlist\n(K\1tR.",
              "cbuiltins\nlist\n(K\1t\u0081.",
              "(d(\u0090."),
          PickleError.TRAILING_DATA,
          List.of("N.N.", "N.\0\0"));

  static Stream<Arguments> refused() {
    return REFUSED.entrySet().stream()
        .flatMap(kind -> kind.getValue().stream().map(each -> arguments(kind.getKey(), each)));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatIsUnsafeOrCpythonDoesNotLoadIsRefused(PickleError error, String pickle) {
    assertRefused(error, pickle);
  }

  @Test
  void fewBytesStayInMemoryAndManyGoToThePayloads() throws IOException {
    for (int length : new int[] {256, 257}) {
      String pickle =
          "B" + (char) (length & 0xff) + (char) (length >> 8) + "\0\0" + "x".repeat(length);
      Loaded loaded = Loaded.of(StreamSource.of(bytes(pickle + ".")));
      PayloadData data = ((PythonValue.Bytes) loaded.value()).data();
      assertThat(data.length()).isEqualTo(length);
      assertThat(data.inline() == null).isEqualTo(length > 256);
      assertThat(loaded.payloads().length()).isEqualTo(length > 256 ? length : 0);
    }
  }

  @Test
  void aLongTextIsInThePayloadsAsItStandsInThePickle() throws IOException {
    Loaded loaded = Loaded.of(StreamSource.of(bytes("V" + "\\u00e9\\x".repeat(500) + "\n.")));
    PayloadData data = ((PythonValue.Text) loaded.value()).data();
    assertThat(data)
        .isEqualTo(new PayloadData(null, 0, 4000, PayloadData.Form.RAW_UNICODE_ESCAPE, 1500));
    assertThat(loaded.told()).isEqualTo("\u00e9\\x".repeat(500));
  }

  @Test
  void halvesOfAPairThatAreTwoCharactersAreKeptApart() throws IOException {
    String cesu = "\u00ed\u00a0\u00bd\u00ed\u00b8\u0080";
    assertThat(read("\u008c\4\u00f0\u009f\u0098\u0080.")).isEqualTo("\ud83d\ude00");
    assertThat(read("\u008c\7\u00ed\u00a0\u00bdx\u00ed\u00b8\u0080.")).isEqualTo("\ud83dx\ude00");
    PayloadData data = ((PythonValue.Text) read("\u008c\6" + cesu + ".")).data();
    assertThat(data.inline()).isEqualTo(bytes(cesu));
    assertThat(data.form()).isEqualTo(PayloadData.Form.UTF8);
  }

  @Test
  void keysThatPythonHoldsForOneAreOne() throws IOException {
    String one = "cnumpy.core.multiarray\nscalar\n(cnumpy\ndtype\n(\u008c\2i1\u0089\u0088tRC\1\1tR";
    PythonValue.Dict dict =
        (PythonValue.Dict)
            read("}(K\1K\2\u0088K\3G?\u00f0\0\0\0\0\0\0K\4" + one + "K\5\u008c\0011K\6u.");
    assertThat(dict.size()).isEqualTo(2);
    assertThat(dict.key(0)).isEqualTo(1L);
    assertThat(dict.value(0)).isEqualTo(5L);
    assertThat(dict.overwrittenKeys().size()).isEqualTo(3);
    assertThat(dict.overwrittenKeys().get(0)).isEqualTo(true);
  }

  @Test
  void manyKeysAreFoundAgain() throws IOException {
    StringBuilder pickle = new StringBuilder("}(");
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 100; i++) {
        pickle.append("K").append((char) i).append("K").append((char) round);
      }
    }
    PythonValue.Dict dict = (PythonValue.Dict) read(pickle.append("u.").toString());
    assertThat(dict.size()).isEqualTo(100);
    assertThat(dict.value(99)).isEqualTo(1L);
  }

  @Test
  void nanIsNoKeyTwiceUnlessItIsTheSameObject() throws IOException {
    String nan = "G\u007f\u00f8\0\0\0\0\0\0";
    assertThat(((PythonValue.Dict) read("}(" + nan + "N" + nan + "Nu.")).size()).isEqualTo(2);
    assertThat(((PythonValue.Dict) read(nan + "q\0}(h\0Nh\0Nu.")).size()).isEqualTo(1);
  }

  @Test
  void aListThatGrewAfterItWasAValueRemembersIt() throws IOException {
    PythonValue.Dict late = (PythonValue.Dict) read("}\u008c\1a]q\0sh\0K\1a0.");
    assertThat(((PythonValue.PyList) late.value(0)).grewAfterStored()).isTrue();
    PythonValue.Dict early = (PythonValue.Dict) read("}\u008c\1a]K\1as.");
    assertThat(((PythonValue.PyList) early.value(0)).grewAfterStored()).isFalse();
  }

  @Test
  void aValueMayContainItself() throws IOException {
    PythonValue.PyList list = (PythonValue.PyList) read("]q\0h\0a.");
    assertThat(list.get(0)).isSameAs(list);
  }

  @Test
  void deepValuesAreBeyondTheLimits() throws IOException {
    int most = PickleLimits.DEFAULT.depth();
    read("]".repeat(most) + "a".repeat(most - 1) + ".");
    assertRefused(PickleError.LIMIT_EXCEEDED, "]".repeat(most + 1) + "a".repeat(most) + ".");
    // from the outside in: each list is a leaf when it is appended
    String step = "]q\1a0h\1";
    assertRefused(PickleError.LIMIT_EXCEEDED, "]q\0" + step.repeat(most) + "0h\0.");
    assertRefused(PickleError.LIMIT_EXCEEDED, "N" + "\u0085".repeat(100_000) + ".");
  }

  @Test
  void doubledTuplesAreNotWalkedThrough() {
    String doubled = ")" + "2\u0086".repeat(64);
    assertRefused(PickleError.LIMIT_EXCEEDED, doubled + ".");
    assertRefused(PickleError.LIMIT_EXCEEDED, "}" + doubled + "Ns.");
    assertRefused(PickleError.LIMIT_EXCEEDED, "\u008f(" + doubled + "\u0090.");
  }

  @Test
  void numbersOfObjectsAreSparse() throws IOException {
    String most = "\u0000\u00e1\u00f5\u0005";
    assertThat(read("K\1r" + most + "K\2\u0094h\1.")).isEqualTo(2L);
    assertThat(read("K\1r" + most + "K\2\u00940j" + most + ".")).isEqualTo(1L);
    assertThat(read("K\1p100000000\n0g100000000\n.")).isEqualTo(1L);
    assertRefused(PickleError.LIMIT_EXCEEDED, "K\1p100000001\n.");
    assertRefused(PickleError.LIMIT_EXCEEDED, "K\1r\u00ff\u00ff\u00ff\u00ff.");
    assertRefused(PickleError.BAD_OPCODE_ARG, "Np9223372036854775808\n.");
    assertRefused(PickleError.BAD_OPCODE_ARG, "Np-1\n.");
  }

  @Test
  void endlessWorkAndGrowthAreBeyondTheLimits() {
    PickleLimits few = new PickleLimits(1 << 14, 64, 20, 1 << 12, 64, 1000, 64, 1000);
    for (String pickle :
        List.of(
            "N0".repeat(1000),
            "]" + "K\1a".repeat(2000),
            "N" + "\u0094".repeat(5000),
            "N".repeat(100),
            "(".repeat(100),
            "V" + "a".repeat(5000),
            "L" + "1".repeat(5000) + "L\n",
            "I" + "1".repeat(5000) + "\n",
            "\u008b\0\1\0\0" + "\1".repeat(256),
            "\u008b\u00ff\u00ff\u00ff\u00ff",
            "\u0080\4\u0095\0\0\0\0\0\0\0\0".repeat(2000))) {
      assertFails(
          PickleError.LIMIT_EXCEEDED,
          "test",
          () -> Loaded.of(StreamSource.of(bytes(pickle + ".")), few));
    }
  }

  @Test
  void anArraysStateMayComeWhenItIsInADictAndAgain() throws IOException {
    String state = "(K\1K\1\u0085" + F4 + "\u0089C\4%stb";
    Loaded loaded =
        Loaded.of(
            StreamSource.of(
                bytes(
                    "}\u008c\1a"
                        + ARRAY
                        + "q\0sh\0"
                        + String.format(state, "abcd")
                        + String.format(state, "wxyz")
                        + "0.")));
    PythonValue.NumpyArray array =
        (PythonValue.NumpyArray) ((PythonValue.Dict) loaded.value()).value(0);
    assertThat(array.shape()).containsExactly(1);
    assertThat(array.data().inline()).isEqualTo(bytes("wxyz"));
  }

  @Test
  void anArrayWithoutStateIsBadOnlyIfItIsInTheResult() throws IOException {
    assertRefused(PickleError.BAD_ARRAY, "]" + ARRAY + "a.");
    assertThat(read(ARRAY + "0N.")).isNull();
  }

  @Test
  void aDtypeThatIsInUseDoesNotChange() throws IOException {
    String array = ARRAY + "(K\1K\1\u0085h\1\u0089C\4abcdtb";
    String swap = "h\1(K\3\u008c\1>NNNJ\u00ff\u00ff\u00ff\u00ffJ\u00ff\u00ff\u00ff\u00ffK\0tb0";
    assertRefused(PickleError.BAD_ARRAY, F4_WITHOUT_STATE + "q\0010" + array + swap + ".");
    PythonValue.NumpyArray swapped =
        (PythonValue.NumpyArray) read(F4_WITHOUT_STATE + "q\0010" + swap + array + ".");
    assertThat(swapped.type().bigEndian()).isTrue();
  }

  @Test
  void anOrderThatIsNeitherCsNorFortransIsKept() throws IOException {
    String type = "cnumpy\ndtype\n(\u008c\2u1\u0089\u0088tR";
    Loaded loaded =
        Loaded.of(
            StreamSource.of(
                bytes(
                    "cnumpy._core.numeric\n_frombuffer\n(\u0096\14\0\0\0\0\0\0\0abcdefghijkl"
                        + type
                        + "K\2K\3K\2\u0087\u008c\1KK\1K\0K\2\u0087tR.")));
    PythonValue.NumpyArray array = (PythonValue.NumpyArray) loaded.value();
    assertThat(array.shape()).containsExactly(3, 2, 2);
    assertThat(array.isRowMajor()).isFalse();
    ByteBuffer all = ByteBuffer.allocate(12);
    new ArrayBytes(loaded.payloads()).copy(array, all::put);
    assertThat(all.array()).isEqualTo(bytes("abghcdijefkl"));
  }

  @Test
  void fortyThousandSamplesFitIntoTheDefaultLimits() throws IOException {
    ByteArrayOutputStream pickle = new ByteArrayOutputStream();
    pickle.writeBytes(bytes("\u0080\4}\u008c\7layer_3]\u0094(" + ""));
    for (int i = 0; i < 40_000; i++) {
      String number = String.format("%05d", i);
      pickle.writeBytes(
          bytes(
              "}\u0094(\u008c\12sample_idx\u0094M\1\1\u008c\12activation\u0094"
                  + ONE_FLOAT
                  + "\u0094\u008c\5shapeK\1\u0085\u0094\u008c\14text_preview\u008c\u00c8"
                  + number.repeat(40)
                  + "\u0094\u008c\10metadata}\u0094(\u008c\1aM\2\2\u008c\1bN\u008c\1c\u008c\5"
                  + number
                  + "\u0094\u008c\1dG?\u00f1\0\0\0\0\0\0uu"));
    }
    pickle.writeBytes(bytes("es."));
    PythonValue.Dict shard =
        (PythonValue.Dict) Loaded.of(StreamSource.of(pickle.toByteArray())).value();
    assertThat(((PythonValue.PyList) shard.value(0)).size()).isEqualTo(40_000);
  }
}
