package org.saevhadoop.format.saev.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/** Selections of the seven examples, layers 13, 21 and 23, and ten tokens of the generations. */
@Tag("late")
class SaevSelectionTest {
  private static final String PARENT = "213c9c09";
  private static final Geometry WHOLE = new Geometry(7, List.of(13, 21, 23), 10, 16);

  @Test
  void theResultReportsItsOwnShapeAndWhatWasSelected() throws IOException {
    SaevMetadata source = GenerationsTest.metadata("v100");
    SaevSelection selection =
        new SaevSelection(
            List.of(23, 13),
            List.of(new IndexRange(5, 7), new IndexRange(0, 2)),
            range(0, 5),
            PARENT);
    SaevMetadata selected = source.select(selection);
    assertThat(selected.geometry()).isEqualTo(new Geometry(4, List.of(23, 13), 5, 16));
    assertThat(selected.clsToken()).isTrue();
    assertThat(selected.patches()).isEqualTo(4);
    assertThat(selected.examplesPerShard()).isEqualTo(6);
    assertThat(selected.generation()).isEqualTo(source.generation());
    assertThat(selected.selections()).containsExactly(selection);
    assertThat(source.selections()).isEmpty();
    String former = PythonJson.dumps(source.value(MetadataField.DATA), JsonStyle.VERBATIM);
    assertThat(PythonJson.dumps(selected.value(MetadataField.DATA), JsonStyle.VERBATIM))
        .isEqualTo(
            "{\"selection\":{\"layers\":[23,13],\"examples\":[[5,7],[0,2]],\"tokens\":[[0,5]],"
                + "\"parent\":\"213c9c09\"},\"data\":"
                + former
                + ",\"__class__\":\"ImageFolder\"}");
    assertThat(SaevMetadata.parse("again", selected.text()).hash()).isEqualTo(selected.hash());
  }

  @Test
  void rangesThatFollowOneAnotherAreOne() {
    SaevSelection pieces =
        new SaevSelection(
            List.of(1),
            List.of(new IndexRange(5, 6), new IndexRange(0, 2), new IndexRange(2, 5)),
            List.of(new IndexRange(0, 1), new IndexRange(1, 3)),
            PARENT);
    assertThat(pieces.examples()).containsExactly(new IndexRange(5, 6), new IndexRange(0, 5));
    assertThat(pieces.tokens()).containsExactly(new IndexRange(0, 3));
  }

  @Test
  void twoSelectionsOfTheSameShapeHaveTwoHashes() throws IOException {
    for (String name : List.of("v1", "v100", "v11", "v20", "v21")) {
      SaevMetadata source = GenerationsTest.metadata(name);
      Set<String> hashes = new HashSet<>();
      hashes.add(source.select(selection(List.of(13), 0, 2, 1, 5)).hash());
      hashes.add(source.select(selection(List.of(13), 2, 4, 1, 5)).hash());
      hashes.add(source.select(selection(List.of(13), 0, 2, 2, 6)).hash());
      SaevSelection ofAnother = new SaevSelection(List.of(13), range(0, 2), range(1, 5), "x");
      hashes.add(source.select(ofAnother).hash());
      assertThat(hashes).as(name).hasSize(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v100", "v11", "v20", "v20orjson", "v21"})
  void theClsTokenIsReportedAsThereWhereItIsKept(String name) throws IOException {
    SaevMetadata source = GenerationsTest.metadata(name);
    SaevMetadata patches = source.select(selection(WHOLE.layers(), 0, 7, 1, 10));
    assertThat(patches.clsToken()).isFalse();
    assertThat(patches.patches()).isEqualTo(9);
    SaevMetadata clsOnly = reparsed(source.select(selection(WHOLE.layers(), 0, 7, 0, 1)));
    assertThat(clsOnly.clsToken()).isTrue();
    assertThat(clsOnly.patches()).isZero();
    assertThat(clsOnly.geometry().tokens()).isEqualTo(1);
    // without [CLS] in the parent token 0 is a patch
    SaevMetadata first = reparsed(patches.select(selection(WHOLE.layers(), 0, 7, 0, 1)));
    assertThat(first.clsToken()).isFalse();
    assertThat(first.patches()).isEqualTo(1);
  }

  @Test
  void aFormThatAlwaysStoresTheClsTokenGetsTheFieldWhereItIsLost() throws IOException {
    SaevMetadata source = GenerationsTest.metadata("prev1-no-size");
    List<Integer> layers = source.geometry().layers();
    SaevMetadata patches = reparsed(source.select(selection(layers, 0, 7, 1, 10)));
    assertThat(patches.clsToken()).isFalse();
    assertThat(patches.patches()).isEqualTo(9);
    assertThat(patches.foreignKeys()).isEmpty();
    SaevMetadata kept = source.select(selection(layers, 1, 7, 0, 9));
    assertThat(kept.values()).doesNotContainKey("cls_token");
    assertFails(
        SaevError.NOT_REPRESENTABLE,
        "metadata.json",
        () -> source.select(selection(List.of(-1), 0, 7, 0, 10)));
  }

  @Test
  void fieldsBesideDataStayWhatTheyAre() throws IOException {
    SaevMetadata source = GenerationsTest.metadata("v21-prefer-fg");
    SaevMetadata selected = source.select(selection(List.of(13), 0, 7, 0, 10));
    for (MetadataField field :
        List.of(MetadataField.DATASET, MetadataField.PIXEL_AGG, MetadataField.TOKENS_PER_SHARD)) {
      assertThat(selected.value(field)).isEqualTo(source.value(field));
    }
    byte[] pickle = Base64.getDecoder().decode((String) selected.value(MetadataField.DATA));
    assertThat(new String(pickle, StandardCharsets.UTF_8))
        .contains("{\"selection\":{\"layers\":[13]")
        .contains("\"base64\":\"" + source.value(MetadataField.DATA) + "\",\"__class__\":\"\"}");
    SaevMetadata foreign = GenerationsTest.metadata("v100-foreign-key");
    SaevMetadata ofForeign = foreign.select(selection(List.of(13), 0, 7, 0, 10));
    assertThat(ofForeign.foreignKeys()).containsExactly("zeal");
    assertThat(ofForeign.selections()).hasSize(1);
  }

  @Test
  void aSelectionOfASelectionHasItsEnvelopeAsData() throws IOException {
    SaevMetadata source = GenerationsTest.metadata("v100");
    SaevSelection first = selection(List.of(13, 21), 0, 6, 0, 10);
    SaevMetadata once = source.select(first);
    SaevSelection second = new SaevSelection(List.of(21), range(1, 3), range(2, 4), once.hash());
    SaevMetadata twice = once.select(second);
    assertThat(twice.selections()).containsExactly(second, first);
    assertThat(twice.geometry()).isEqualTo(new Geometry(2, List.of(21), 2, 16));
    assertThat(((Map<?, ?>) twice.value(MetadataField.DATA)).get("data"))
        .isEqualTo(once.value(MetadataField.DATA));
  }

  @Test
  void metadataThatWasMadeForActivationsWithoutAnyIsSelectedFromLikeAll() throws IOException {
    byte[] data = "{\"root\": \"/x\"}".getBytes(StandardCharsets.UTF_8);
    SaevMetadata created =
        SaevMetadata.create(ProtocolGeneration.DEFAULT, WHOLE, true, "clip", "x", data);
    SaevSelection selection =
        new SaevSelection(List.of(21), range(3, 5), range(0, 1), "sha256 of the numbers");
    SaevMetadata selected = reparsed(created.select(selection));
    assertThat(selected.generation()).isEqualTo(ProtocolGeneration.V2_1);
    assertThat(selected.selections()).containsExactly(selection);
    assertThat(selected.value(MetadataField.DATASET)).isEqualTo("/x");
    assertThat(selected.foreignKeys()).isEmpty();
    assertThat(selected.to(ProtocolGeneration.V1_0).to(ProtocolGeneration.V2_1).text())
        .isEqualTo(selected.text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"layers\":[1],\"examples\":[[0,1]],\"tokens\":[[0,1]]}",
        "{\"examples\":[[0,1]],\"layers\":[1],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[1],\"examples\":[[0,1]],\"tokens\":[[0,1]],\"parent\":\"x\",\"y\":1}",
        "{\"layers\":[1],\"examples\":[[0,1]],\"tokens\":[[0,1]],\"parent\":1}",
        "{\"layers\":[],\"examples\":[[0,1]],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[1,1],\"examples\":[[0,1]],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[1.0],\"examples\":[[0,1]],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[3000000000],\"examples\":[[0,1]],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[-0],\"examples\":[[0,1]],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[1],\"examples\":[[0,1],[1,2]],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[1],\"examples\":[[0,2],[1,3]],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[1],\"examples\":[[1,1]],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[1],\"examples\":[[-1,1]],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[1],\"examples\":[[0,1,2]],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[1],\"examples\":[0,1],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[1],\"examples\":{},\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[1],\"examples\":[[0,1]],\"tokens\":[],\"parent\":\"x\"}",
        "{\"layers\":[1],\"examples\":[[0,1]],\"tokens\":[[2,3],[0,1]],\"parent\":\"x\"}",
        "{\"layers\":[\"1\"],\"examples\":[[0,1]],\"tokens\":[[0,1]],\"parent\":\"x\"}",
        "{}",
        "null",
        "[]"
      })
  void whatNoSelectionIsWrittenAsIsNone(String json) throws IOException {
    assertThat(SaevSelection.of(HostileMetadata.parse(json))).isNull();
    // and data that holds it is data
    String data = "{\"selection\":" + json + ",\"data\":{\"x\":1},\"__class__\":\"\"}";
    Map<String, Object> values = new LinkedHashMap<>(GenerationsTest.metadata("v100").values());
    values.put("data", HostileMetadata.parse(data));
    SaevMetadata metadata = HostileMetadata.metadata(values, ProtocolGeneration.V1_0);
    assertThat(metadata.selections()).isEmpty();
    SaevMetadata there = metadata.to(ProtocolGeneration.V2_1);
    assertThat(there.selections()).isEmpty();
    assertThat(there.to(ProtocolGeneration.V1_0).text()).isEqualTo(metadata.text());
    SaevMetadata selected = metadata.select(selection(List.of(13), 0, 7, 0, 10));
    assertThat(selected.selections()).hasSize(1);
    assertThat(selected.to(ProtocolGeneration.LEGACY).to(ProtocolGeneration.V1_0).text())
        .isEqualTo(selected.text());
  }

  @Test
  void whatTheDatasetLacksCannotBeSelected() throws IOException {
    SaevMetadata source = GenerationsTest.metadata("v21");
    for (SaevSelection wrong :
        List.of(
            selection(List.of(14), 0, 7, 0, 10),
            selection(List.of(13), 0, 8, 0, 10),
            selection(List.of(13), 0, 7, 0, 11))) {
      assertThatThrownBy(() -> source.select(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void moreRangesThanAMetadataJsonCanHoldAreAnError() throws IOException {
    SaevMetadata large =
        GenerationsTest.metadata("v100").withGeometry(new Geometry(1_000_000, List.of(13), 10, 16));
    List<IndexRange> even =
        LongStream.range(0, 400_000).mapToObj(i -> new IndexRange(2 * i, 2 * i + 1)).toList();
    SaevSelection selection = new SaevSelection(List.of(13), even, range(0, 10), PARENT);
    assertFails(SaevError.NOT_REPRESENTABLE, "metadata.json", () -> large.select(selection));
  }

  private static SaevSelection selection(
      List<Integer> layers, long first, long stop, long token, long stopToken) {
    return new SaevSelection(layers, range(first, stop), range(token, stopToken), PARENT);
  }

  private static List<IndexRange> range(long start, long stop) {
    return List.of(new IndexRange(start, stop));
  }

  private static SaevMetadata reparsed(SaevMetadata metadata) throws IOException {
    return SaevMetadata.parse("metadata.json", metadata.text());
  }
}
