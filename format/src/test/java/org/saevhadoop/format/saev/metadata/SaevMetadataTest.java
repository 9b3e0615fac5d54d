package org.saevhadoop.format.saev.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonError;

class SaevMetadataTest {
  private static final String LEGACY =
      "0e19f68c05c96a78746482a3ca33cf72dcbaefa907128a1b0da3b105fa750de9";
  private static final String V1_0 =
      "213c9c09f2cf9c50c90a67b906932e80a999f9d0f779ea26f8362adc8b1f160b";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "vit_family",
        "vit_ckpt",
        "layers",
        "n_patches_per_img",
        "cls_token",
        "d_vit",
        "n_imgs",
        "max_patches_per_shard",
        "data"
      })
  void aMissingFieldIsNamed(String field) throws IOException {
    String text = text(V1_0).replace("\"" + field + "\"", "\"other\"");
    assertThat(assertRefused(SaevError.MISSING_FIELD, text)).hasMessageContaining(field);
  }

  @Test
  void aMissingFieldOfLegacyMetadataIsNamed() throws IOException {
    assertRefused(SaevError.MISSING_FIELD, text(LEGACY).replace("\"d_vit\"", "\"other\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"n_imgs\": 7; \"n_imgs\": \"7\"; BAD_FIELD",
        "\"n_imgs\": 7; \"n_imgs\": 7.0; BAD_FIELD",
        "\"n_imgs\": 7; \"n_imgs\": -1; BAD_FIELD",
        "\"n_imgs\": 7; \"n_imgs\": 99999999999999999999999; BAD_FIELD",
        "\"d_vit\": 16; \"d_vit\": 0; BAD_FIELD",
        "\"d_vit\": 16; \"d_vit\": null; BAD_FIELD",
        "\"d_vit\": 16; \"d_vit\": true; BAD_FIELD",
        "\"cls_token\": true; \"cls_token\": 1; BAD_FIELD",
        "\"cls_token\": true; \"cls_token\": \"true\"; BAD_FIELD",
        "\"n_patches_per_img\": 9; \"n_patches_per_img\": {}; BAD_FIELD",
        "13,; 13.5,; BAD_FIELD",
        "13,; null,; BAD_FIELD",
        "13,; 2147483648,; BAD_FIELD",
        "13,; 21,; BAD_METADATA",
        "\"float32\"; \"float16\"; BAD_FIELD",
        "\"float32\"; null; BAD_FIELD"
      })
  void aWrongValueIsShownWithWhatWasExpected(String from, String to, SaevError kind)
      throws IOException {
    String text = text(V1_0);
    assertThat(text).contains(from);
    assertRefused(kind, text.replace(from, to));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "13", "\"13\"", "{\"13\":0}", "null"})
  void layersThatAreNoListOfIntegersAreRefused(String layers) throws IOException {
    String text = text(V1_0).replaceFirst("\\[[^]]*]", layers);
    assertRefused(SaevError.BAD_FIELD, text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"2.0\"", "\"2.1\"", "1.0", "\"1.0\""})
  void theKeysReportTheGenerationAgainstTheProtocolValue(String protocol) throws IOException {
    SaevMetadata metadata = parse(text(V1_0).replace("\"1.0.0\"", protocol));
    assertThat(metadata.generation()).isEqualTo(ProtocolGeneration.V1_0);
    assertThat(metadata.protocolWarning())
        .contains(
            "protocol " + protocol.replace("\"", "") + " is read as 1.0.0, whose fields it has");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"3.0\"", "\"10\"", "7", "{}", "\"\""})
  void anUnknownMajorVersionIsReadWithTheBreakingWarning(String protocol) throws IOException {
    SaevMetadata metadata = parse(text(V1_0).replace("\"1.0.0\"", protocol));
    assertThat(metadata.geometry()).isEqualTo(new Geometry(7, List.of(13, 21, 23), 10, 16));
    assertThat(metadata.protocolWarning()).get().asString().startsWith("breaking: protocol ");
  }

  @Test
  void aMessageIsOneLineWhateverTheFileHolds() throws IOException {
    SaevMetadata metadata =
        parse(text(V1_0).replace("\"1.0.0\"", "\"3\\n\\u2028\",\"a\\r\\n\": 1"));
    assertThat(metadata.protocolWarning())
        .get()
        .asString()
        .startsWith("breaking: protocol 3\\n\\u2028 has an unknown major version");
    assertFails(
        SaevError.NOT_REPRESENTABLE, "metadata.json", () -> metadata.to(ProtocolGeneration.LEGACY));
  }

  @Test
  void dtypeAndProtocolMayBeAbsentAsInTheProjectsOwnLoader() throws IOException {
    String text =
        text(V1_0).replace(",\n    \"dtype\": \"float32\",\n    \"protocol\": \"1.0.0\"", "");
    assertThat(text).doesNotContain("protocol");
    assertThat(parse(text).generation()).isEqualTo(ProtocolGeneration.V1_0);
  }

  @Test
  void aBudgetTooSmallForOneExampleIsRefusedWithTheLeastThatIsEnough() throws IOException {
    String text = text(V1_0);
    assertRefused(
        SaevError.BAD_FIELD,
        text.replace("\"max_patches_per_shard\": 60", "\"max_patches_per_shard\": 29"));
    SaevMetadata least =
        parse(text.replace("\"max_patches_per_shard\": 60", "\"max_patches_per_shard\": 30"));
    assertThat(least.examplesPerShard()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"n_imgs\": 7; \"n_imgs\": 9223372036854775807",
        "\"max_patches_per_shard\": 60; \"max_patches_per_shard\": 9223372036854775807",
        "\"n_patches_per_img\": 9; \"n_patches_per_img\": 2147483646"
      })
  void sizesThatDoNotFit63BitsAreRefused(String from, String to) throws IOException {
    String text = text(V1_0).replace("\"d_vit\": 16", "\"d_vit\": 536870911").replace(from, to);
    assertRefused(SaevError.TOO_LARGE, text);
  }

  @Test
  void theTokensAreThePatchesAndTheClsTokenWhereThereIsOne() throws IOException {
    SaevMetadata withCls = parse(text(V1_0));
    assertThat(withCls.clsToken()).isTrue();
    assertThat(withCls.geometry()).isEqualTo(new Geometry(7, List.of(13, 21, 23), 10, 16));
    SaevMetadata without = parse(text(V1_0).replace("\"cls_token\": true", "\"cls_token\": false"));
    assertThat(without.geometry().tokens()).isEqualTo(9);
    SaevMetadata clsAlone =
        parse(text(V1_0).replace("\"n_patches_per_img\": 9", "\"n_patches_per_img\": 0"));
    assertThat(clsAlone.geometry().tokens()).isEqualTo(1);
    assertRefused(
        SaevError.BAD_FIELD,
        text(V1_0)
            .replace("\"cls_token\": true", "\"cls_token\": false")
            .replace("\"n_patches_per_img\": 9", "\"n_patches_per_img\": 0"));
  }

  @Test
  void theTextIsKeptByteForByteAndIsNobodyElses() throws IOException {
    byte[] odd =
        (text(V1_0) + "\n\n")
            .replace("\"n_imgs\": 7", "\"n_imgs\":\t7")
            .getBytes(StandardCharsets.UTF_8);
    SaevMetadata metadata = SaevMetadata.parse("metadata.json", odd);
    assertThat(metadata.text()).isEqualTo(odd);
    metadata.text()[0] = 'x';
    assertThat(metadata.text()).isEqualTo(odd);
    assertThat(metadata.hash()).isEqualTo(V1_0);
  }

  @Test
  void legacyMetadataComesBackFromProtocolOneByteForByte() throws IOException {
    SaevMetadata legacy = parse(text(LEGACY).replace("\"seed\": 42", "\"seed\": 7"));
    SaevMetadata migrated = legacy.to(ProtocolGeneration.V1_0);
    assertThat(migrated.generation()).isEqualTo(ProtocolGeneration.V1_0);
    assertThat(migrated.geometry()).isEqualTo(legacy.geometry());
    assertThat(migrated.foreignKeys()).isEmpty();
    assertThat(parse(HostileMetadata.text(migrated)).hash()).isEqualTo(migrated.hash());
    assertThat(HostileMetadata.text(migrated)).contains("\"__class__\": \"ImageFolder\"");
    SaevMetadata back = migrated.to(ProtocolGeneration.LEGACY);
    assertThat(HostileMetadata.text(back)).isEqualTo(HostileMetadata.text(legacy));
    assertThat(back.hash()).isEqualTo(legacy.hash());
  }

  @Test
  void legacyMetadataOfTheFixtureComesBackWithItsHash() throws IOException {
    SaevMetadata back =
        parse(text(LEGACY)).to(ProtocolGeneration.V1_0).to(ProtocolGeneration.LEGACY);
    assertThat(HostileMetadata.text(back)).isEqualTo(text(LEGACY));
    assertThat(back.hash()).isEqualTo(LEGACY);
  }

  @Test
  void metadataOfProtocolOneLosesNothingOnItsWayThroughLegacy() throws IOException {
    SaevMetadata original = parse(text(V1_0));
    SaevMetadata legacy = original.to(ProtocolGeneration.LEGACY);
    assertThat(legacy.generation()).isEqualTo(ProtocolGeneration.LEGACY);
    assertThat(legacy.geometry()).isEqualTo(original.geometry());
    assertThat(HostileMetadata.text(legacy))
        .contains("\"seed\": 42", "{\\\"root\\\":\\\"/data/imgs/train\\\"")
        .doesNotContain("protocol", "dtype");
    SaevMetadata back = legacy.to(ProtocolGeneration.V1_0);
    assertThat(HostileMetadata.text(back)).isEqualTo(HostileMetadata.text(original));
    assertThat(back.hash()).isEqualTo(original.hash());
  }

  @Test
  void migrationToTheSameGenerationChangesNothing() throws IOException {
    SaevMetadata metadata = parse(text(V1_0) + " ");
    assertThat(metadata.to(ProtocolGeneration.V1_0)).isSameAs(metadata);
    assertThat(metadata.withGeometry(metadata.geometry())).isSameAs(metadata);
    assertThat(metadata.with(MetadataField.FAMILY, "clip")).isSameAs(metadata);
    assertThat(metadata.withTokensPerShard(60)).isSameAs(metadata);
  }

  @Test
  void aChangedFieldStaysInItsPosition() throws IOException {
    SaevMetadata changed =
        parse(text(V1_0))
            .with(MetadataField.CKPT, "other")
            .withTokensPerShard(90)
            .with(MetadataField.FAMILY, "dinov2");
    assertThat(HostileMetadata.text(changed))
        .isEqualTo(
            text(V1_0)
                .replace("ViT-B-32/openai", "other")
                .replace("\"clip\"", "\"dinov2\"")
                .replace(": 60", ": 90"));
    assertThat(changed.hash()).isNotEqualTo(V1_0);
    assertThat(changed.examplesPerShard()).isEqualTo(3);
  }

  @Test
  void anotherGeometryIsTakenThoughItsPartsAloneWouldNotFit() throws IOException {
    Geometry manyLayers = new Geometry(9, List.of(1, 2, 3, 4, 5, 6, 7, 8), 5, 4);
    SaevMetadata changed = parse(text(V1_0)).withGeometry(manyLayers);
    assertThat(changed.geometry()).isEqualTo(manyLayers);
    assertThat(changed.examplesPerShard()).isEqualTo(1);
  }

  @Test
  void dataIsAnObjectInProtocolOneAndAStringInLegacy() throws IOException {
    byte[] data = "{\"a\": [1, NaN]}".getBytes(StandardCharsets.UTF_8);
    assertThat(HostileMetadata.text(parse(text(V1_0)).withData("data.json", data)))
        .contains(
            "\"data\": {\n        \"a\": [\n            1,\n            NaN\n        ]\n    }");
    assertThat(HostileMetadata.text(parse(text(LEGACY)).withData("data.json", data)))
        .contains("\"data\": \"{\\\"a\\\":[1,NaN]}\"");
    assertFails(
        JsonError.BAD_JSON,
        "data.json",
        () -> parse(text(V1_0)).withData("data.json", "{".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void newDataIsSpelledAsPythonSpellsItWhileDataThatWasThereStaysAsItWas() throws IOException {
    byte[] data = "{\"a\":1e-5,\"b\":-0}".getBytes(StandardCharsets.UTF_8);
    SaevMetadata changed = parse(text(V1_0)).withData("data.json", data);
    assertThat(HostileMetadata.text(changed)).contains("\"a\": 1e-05,", "\"b\": 0\n");
    SaevMetadata created =
        SaevMetadata.create(
            ProtocolGeneration.V1_0, new Geometry(1, List.of(0), 5, 8), true, "clip", "x", data);
    assertThat(HostileMetadata.text(created)).contains("\"a\": 1e-05,", "\"b\": 0\n");
    SaevMetadata found = parse(HostileMetadata.text(changed).replace("1e-05", "1E-5"));
    assertThat(HostileMetadata.text(found.withTokensPerShard(90))).contains("\"a\": 1E-5,");
  }

  @Test
  void createdMetadataIsReadBackAsWhatWasMeant() throws IOException {
    Geometry geometry = new Geometry(3, List.of(-2, -1), 5, 8);
    SaevMetadata created =
        SaevMetadata.create(
            ProtocolGeneration.DEFAULT,
            geometry,
            true,
            "siglip",
            "ckpt",
            "{\"x\": 1}".getBytes(StandardCharsets.UTF_8));
    SaevMetadata read = parse(HostileMetadata.text(created));
    assertThat(read.geometry()).isEqualTo(geometry);
    assertThat(read.clsToken()).isTrue();
    assertThat(read.foreignKeys()).isEmpty();
    assertThat(read.hash()).isEqualTo(created.hash());
    assertThat(read.examplesPerShard()).isEqualTo(240_000);
  }

  @Test
  void createdMetadataHoldsAtLeastOneExampleAShard() {
    Geometry large = new Geometry(1, List.of(0), 3_000_000, 1);
    assertThatCode(
            () ->
                SaevMetadata.create(
                    ProtocolGeneration.DEFAULT,
                    large,
                    false,
                    "clip",
                    "x",
                    "{}".getBytes(StandardCharsets.UTF_8)))
        .doesNotThrowAnyException();
  }

  private static FormatException assertRefused(SaevError kind, String text) {
    return assertFails(kind, "metadata.json", () -> parse(text));
  }

  private static SaevMetadata parse(String text) throws IOException {
    return SaevMetadata.parse("metadata.json", text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(String hash) throws IOException {
    Path folder = Corpus.checkout().resolve("fixtures/saev").resolve(hash);
    return Files.readString(folder.resolve("metadata.json"));
  }
}
