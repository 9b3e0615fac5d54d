package org.saevhadoop.format.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.Provenance;

/** What users ask for, as text, and what a dataset has of it. */
class RequestTest {
  private static final Geometry GEOMETRY = new Geometry(10, List.of(-2, 10, 12, 13, 14), 8, 4);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0:1",
        "9 | 9:10",
        "-1 | 9:10",
        "-10 | 0:1",
        ": | 0:10",
        ":3 | 0:3",
        "7: | 7:10",
        "-3: | 7:10",
        ":-3 | 0:7",
        "-4:-1 | 6:9",
        "2:1000 | 2:10",
        "-1000:2 | 0:2",
        "8,2,5:7 | 8:9 2:3 5:7",
        "0:3,3:5,5 | 0:6",
        "' 1 , 4:6 ' | 1:2 4:6",
        "5:-2,-1 | 5:8 9:10"
      })
  void piecesOfTenAreThoseThatPythonWouldSlice(String text, String expected) throws Exception {
    assertThat(shown(IndexPieces.parse(text).resolve(10, "there", "example"))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "examples | '' | a piece is empty",
        "examples | 1,,2 | a piece is empty",
        "examples | 1, | a piece is empty",
        "examples | a | \"a\" is neither an index nor a range",
        "examples | 1:2:3 | \"1:2:3\" is neither an index nor a range",
        "examples | 0-5 | \"0-5\" is neither an index nor a range: 0:6 includes 5, 0:5 does not",
        "examples | +1 | \"+1\" is neither an index nor a range",
        "examples | 1 :2 | \"1 :2\" is neither an index nor a range",
        "examples | 9999999999999999999 | \"9999999999999999999\" is neither an index nor a range",
        "examples | 3:3 | 3:3 selects nothing",
        "examples | 5:3 | 5:3 selects nothing",
        "examples | :0 | :0 selects nothing",
        "examples | -1:-3 | -1:-3 selects nothing",
        "examples | 1,1 | 1 and 1 overlap",
        "examples | 5:8,0:6 | 0:6 and 5:8 overlap",
        "examples | :4,3 | 0:4 and 3 overlap",
        "layers | '' | a layer is empty",
        "layers | 1, | a layer is empty",
        "layers | x | \"x\" is not a layer",
        "layers | 1:3 | \"1:3\" is not a layer: 1-3 includes 3, 1-2 does not",
        "layers | -3--1 | \"-3--1\" is not a layer",
        "layers | 5-3 | 5-3 selects nothing",
        "layers | 10,12-14,13 | layer 13 is requested twice",
        "layers | -2,-2 | layer -2 is requested twice",
        "layers | 2147483648 | 2147483648 is not a layer of any model",
        "layers | 0-2000000000 | 0-2000000000 is not a layer of any model",
        "tokens | patches | \"patches\" names no tokens (expected cls, special, image, content or all)",
        "tokens | 5,3 | tokens do not ascend",
        "tokens | 1,1 | 1 and 1 overlap",
        "tokens | cls,1 | \"cls\" is neither an index nor a range"
      })
  void whatIsWrongForAnyDatasetIsRefusedBeforeItIsSeen(String what, String text, String message) {
    assertThatThrownBy(
            () -> {
              switch (what) {
                case "examples" -> IndexPieces.parse(text);
                case "layers" -> LayerRequest.parse(text);
                default -> TokenRequest.parse(text);
              }
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10 | BAD_SELECTION",
        "-11 | BAD_SELECTION",
        "10: | EMPTY_SELECTION",
        "-3:7 | EMPTY_SELECTION",
        "7:-3 | EMPTY_SELECTION",
        ":-10 | EMPTY_SELECTION",
        "9,-1 | BAD_SELECTION",
        "-5:,2:6 | BAD_SELECTION",
        "5:,-1 | BAD_SELECTION"
      })
  void piecesThatADatasetDoesNotHaveAreRefused(String text, DatasetError kind) {
    IndexPieces pieces = IndexPieces.parse(text);
    assertFails(kind, "there", () -> pieces.resolve(10, "there", "example"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "12 | 2",
        "-2 | 0",
        "14,10,-2 | 4 1 0",
        "12-14 | 2 3 4",
        "13-14,10 | 3 4 1",
        "' 10 , 12-12 ' | 1 2"
      })
  void layersAreNames(String text, String places) throws Exception {
    assertThat(LayerRequest.parse(text).resolve(GEOMETRY, "there"))
        .map(String::valueOf)
        .containsExactly(places.split(" "));
    assertThat(LayerRequest.parse(LayerRequest.parse(text).toString()))
        .isEqualTo(LayerRequest.parse(text));
  }

  @Test
  void aLayerThatWasNotRecordedIsRefused() {
    assertFails(
        DatasetError.NO_SUCH_LAYER,
        "there",
        () -> LayerRequest.parse("10-12").resolve(GEOMETRY, "there"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all | 0:8",
        "cls | 0:1",
        "Special | 0:1",
        "image | 1:8",
        "content | 1:8",
        "0:4 | 0:4",
        "1,3,5: | 1:2 3:4 5:8",
        "2:5,5:6 | 2:6",
        "-2: | 6:8"
      })
  void tokensAreNamesOrIndexesOfStoredOnes(String text, String expected) throws Exception {
    TokenRequest request = TokenRequest.parse(text);
    assertThat(shown(request.resolve(activations(1), "there"))).isEqualTo(expected);
    assertThat(TokenRequest.parse(request.toString())).isEqualTo(request);
    assertThat(request.isAll()).isEqualTo(text.equals("all"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cls | 0 | NO_SUCH_TOKEN",
        "8 | 1 | BAD_SELECTION",
        "9: | 1 | EMPTY_SELECTION",
        "4:,2 | 1 | BAD_SELECTION",
        "-1,0 | 1 | BAD_SELECTION",
        "cls | | UNKNOWN_CLS_TOKENS",
        "image | | UNKNOWN_CLS_TOKENS"
      })
  void tokensThatADatasetDoesNotHaveAreRefused(
      String text, @Nullable Integer cls, DatasetError kind) {
    OptionalInt known = cls == null ? OptionalInt.empty() : OptionalInt.of(cls);
    Activations activations = new Activations(GEOMETRY, known, Provenance.NONE);
    assertFails(kind, "there", () -> TokenRequest.parse(text).resolve(activations, "there"));
  }

  @Test
  void imageTokensOfNothingButClsAreRefused() {
    Activations one =
        new Activations(new Geometry(1, List.of(3), 1, 4), OptionalInt.of(1), Provenance.NONE);
    assertFails(
        DatasetError.NO_SUCH_TOKEN,
        "there",
        () -> TokenRequest.parse("image").resolve(one, "there"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all | 3 | 0:3",
        "all | 10 | 0:10",
        "all | 9223372036854775807 | 0:10",
        "8,2,5:7 | 1 | 8:9",
        "8,2,5:7 | 3 | 8:9 2:3 5:6",
        "8,2,5:7 | 4 | 8:9 2:3 5:7"
      })
  void aLimitTakesTheFirstExamplesOfThoseAskedFor(String examples, long limit, String expected)
      throws Exception {
    ProjectionRequest request =
        new ProjectionRequest(
            null,
            examples.equals("all") ? null : IndexPieces.parse(examples),
            limit,
            TokenRequest.ALL);
    Projection projection = request.resolve(new InventedDataset(GEOMETRY, false, 3));
    assertThat(shown(projection.examples())).isEqualTo(expected);
    assertThat(request.isEverything()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {":1000", "0:10", ":", "0:4,4:"})
  void whatIsEverythingInStoredOrderIsTheDatasetItself(String examples) throws Exception {
    InventedDataset dataset = new InventedDataset(GEOMETRY, false, 3);
    ProjectionRequest request =
        new ProjectionRequest(
            LayerRequest.parse("-2,10,12-14"),
            IndexPieces.parse(examples),
            10,
            TokenRequest.parse("0:"));
    assertThat(request.resolve(dataset).isEverything(dataset)).isTrue();
    assertThat(request.resolve(dataset).of(dataset)).isSameAs(dataset);
  }

  @Test
  void ofNoExamplesEverythingIsThereAndNothingElse() throws Exception {
    InventedDataset empty = new InventedDataset(new Geometry(0, List.of(1, 2), 2, 2), false, 3);
    assertThat(ProjectionRequest.EVERYTHING.resolve(empty).of(empty)).isSameAs(empty);
    ProjectionRequest layer =
        new ProjectionRequest(
            LayerRequest.parse("2"), null, ProjectionRequest.NO_LIMIT, TokenRequest.ALL);
    assertThat(layer.resolve(empty).of(empty).table().columns()).hasSize(1);
    ProjectionRequest example =
        new ProjectionRequest(
            null, IndexPieces.parse("0:5"), ProjectionRequest.NO_LIMIT, TokenRequest.ALL);
    assertFails(DatasetError.EMPTY_SELECTION, "invented", () -> example.resolve(empty));
  }

  private static Activations activations(int cls) {
    return new Activations(GEOMETRY, OptionalInt.of(cls), Provenance.NONE);
  }

  private static String shown(List<IndexRange> ranges) {
    return ranges.stream().map(IndexRange::toString).collect(Collectors.joining(" "));
  }
}
