package org.saevhadoop.format.saev.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/**
 * A metadata.json of each form that ever was, one example of seven in shards of two. The hashes are
 * those of CPython's json and of orjson's rules.
 */
public class GenerationsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      emptyValue = "",
      value = {
        "prev1-model; PRE_V1; 829d15714e6acc777cfd4964d7a44c6cf3f1257d7b83c43938fa9a4bfe50aaed; ",
        "prev1-model-org; PRE_V1; 6ddb980148523a1ae6fd6ef7e5ee02d24c950c07e9a7c170c85becd988f6d34d; ",
        "prev1-no-size; PRE_V1; d162a01ef3fbab394e0cdf7be4bf8051f9e8ff46b94083440a02f360bcdb0bd4; ",
        "prev1-layers; PRE_V1; 55166149a24f8a388b8388b56b086555445f6c7c6ee92cefb12252e6af080d0d; ",
        "prev1-model-family; PRE_V1; e5403f971d45cdfcabd3ac5ef2ea59a91f4c1230395418b05f38c2ec540dd673; ",
        "prev1-vit-family; PRE_V1; 348190acc46a2ef244e22f89415c21e834d8727870405908a8cd89b9ba2e0203; ",
        "v1; LEGACY; b2972da786c3a254e6bcd38d07bde4336a359892dff3d919fa8867d742202563; ",
        "v1sep; V1_SEEDLESS; 18f4c889cb7f6774fe1558ee1fd17e0eed415702664777de6102d5a879eb98b3; ",
        "v100pre; V1_0; d524e040422c90eca069994a8d62697f5e5a5099920675df529f2c2bc88d71ad; ",
        "v100; V1_0; bca2a468f3751688995e27194d0092bd665a8894d42735699db48305eff59612; ",
        "v100-class-misnamed; V1_0; 2c07c95d311fc460b714a7f05c796f7e230e1ea5c3588d8281cc9227fce4f0d6; ",
        "v100-without-dtype-and-protocol; V1_0; b9ea031676eec57c155cc69591dcd329afc286714d64c1bbbbfc4bd462f67e2f; ",
        "v11a; V1_1; a144d3d314012ddac2e670e4e487f57ddda5fd8f8366166591dbc7063b4f7a2c; ",
        "v11; V1_1; 577ccf177c5a47937918dd8009994f7675b0ac817f928e7d570b9d358794d414; ",
        "v11-prefer-fg; V1_1; a43aebe430d4f37cdbf844b25ce802dd158f868a8d47e22a091ae78db0568197; ",
        "v11ren; V2_0_EX; 3063dd78daa4536266f30df4db12db511dcffd24331faa040cc940e00653ecbb; protocol 1.1 is read as 2.0 with n_ex, whose fields it has",
        "v20pre; V2_0_EX; 3a6a7d5238801334578a6f83825a77a209d69156c27fa391aa63a1f503799313; ",
        "v20a; V2_0_EX; 5bf0be7d905d96d744836c0297d1572ba089b4d48d262e00b3159d5e4ef459aa; ",
        "v20; V2_0; 9e9addb3ee0b4ec1821028f13040521042cd8f5ba887796a4058a29351626d12; ",
        "v20orjson; V2_0; c7673f15802ecb628929a4318cabe0738789e877215f52f1ba2865b41b3e7f1c; ",
        "v21a-null; V2_1_NULLABLE; f18988d252912817a16fccf8d4f711fe57c267a1faabbd91c260f8d790dc6a3f; ",
        "v21a-majority; V2_1; 0d3d7e855d509276f6b81c3ab979a87fd98d8137b2a4cfebd8ba723e93db487d; ",
        "v21; V2_1; 0d3d7e85; ",
        "v21-prefer-fg; V2_1; 676e9da1; ",
        "v21-reordered; V2_1; 0d3d7e85; ",
        "v21-without-dtype-and-protocol; V2_1; 8c009704; ",
        "v100-foreign-key; V1_0; 5eaf56f28b1e278a7fc45438d63478c2ad08ffe0058f4d30cf9ab27997a55e92; ",
        "v100-protocol-1.9; V1_0; ad7313b20f0a1605e52f3fe2883a472075227a55400b43f4f15c98fc7fe7fe52; protocol 1.9 is read as 1.0.0, whose fields it has",
        "v21-protocol-3.0; V2_1; 3a6f7a32; 'breaking: protocol 3.0 has an unknown major version; it"
            + " is read as 2.1, whose fields it has, but that may be wrong'",
      })
  void everyFormIsReportedByItsKeysAndNamesItsDirectory(
      String name, ProtocolGeneration generation, String hash, String warning) throws IOException {
    SaevMetadata metadata = metadata(name);
    assertThat(metadata.generation()).isEqualTo(generation);
    assertThat(metadata.hash(hash)).isEqualTo(hash);
    if (!name.equals("v21a-majority")) {
      // its keys and values are those of 2.1 proper, which shortens the digest
      assertThat(metadata.hash()).isEqualTo(hash);
    }
    assertThat(metadata.hash("other")).isEqualTo(metadata.hash());
    assertThat(metadata.protocolWarning().orElse(null)).isEqualTo(warning);
    boolean lastLayers = List.of("prev1-model", "prev1-model-org", "prev1-no-size").contains(name);
    List<Integer> layers = lastLayers ? List.of(-3, -2, -1) : List.of(13, 21, 23);
    assertThat(metadata.geometry()).isEqualTo(new Geometry(7, layers, 10, 16));
    assertThat(metadata.clsToken()).isEqualTo(!name.equals("prev1-model-family"));
    assertThat(metadata.examplesPerShard()).isEqualTo(2);
    boolean foreign = name.equals("v100-foreign-key");
    assertThat(metadata.foreignKeys()).isEqualTo(foreign ? List.of("zeal") : List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "v1, PYTHON_FILE", "v100, PYTHON_FILE", "v11, PYTHON_FILE", "v20pre, PYTHON_FILE",
    "v20, PYTHON_FILE", "v20orjson, ORJSON_FILE", "v21a-null, ORJSON_FILE", "v21, ORJSON_FILE"
  })
  void everyFormIsWrittenInTheStyleOfItsWriter(String name, String style) throws IOException {
    JsonStyle expected =
        style.equals("ORJSON_FILE") ? JsonStyle.ORJSON_FILE : JsonStyle.PYTHON_FILE;
    String text = text(name);
    assertThat(
            PythonJson.dumps(
                PythonJson.parse(name, text.getBytes(StandardCharsets.UTF_8)), expected))
        .isEqualTo(text);
    SaevMetadata changed = metadata(name).withTokensPerShard(61);
    assertThat(HostileMetadata.text(changed))
        .isEqualTo(text.replace("per_shard\": 60", "per_shard\": 61"));
  }

  @Test
  void aDirectoryOfTheAuthorsIsNamedByItsMetadata() throws IOException {
    String text =
        """
        {"vit_family": "clip", "vit_ckpt": "hf-hub:imageomics/bioclip-2",
        "layers": [13, 15, 17, 19, 21, 23], "n_patches_per_img": 256, "cls_token": true,
        "d_vit": 1024, "seed": 42, "n_imgs": 500000, "n_patches_per_shard": 24000000,
        "data": "ImageFolderDataset(root='/fs/ess/PAS2136/foundation_model/inat21/raw/train_mini/')"}
        """;
    SaevMetadata metadata = parse(text);
    assertThat(metadata.hash())
        .isEqualTo("366017a10220b85014ae0a594276b25f6ea3d756b74d1d3218da1e34ffcf32e9");
    assertThat(metadata.examplesPerShard()).isEqualTo(15564);
    assertThat(metadata.examplesPerShard() * metadata.geometry().exampleBytes())
        .isEqualTo(98_302_722_048L);
  }

  @Test
  void whatCameBeforeTheFirstDataclassIsRefusedInOneLine() {
    String first =
        "{\"width\": 224, \"height\": 224, \"model\": \"ViT-B-32/openai\","
            + " \"data\": \"ImageFolder(root='/data/imgs/train')\", \"n_per_shard\": 10, \"n_layers\": 3, \"seed\": 42}";
    assertRefused(SaevError.MISSING_FIELD, first);
    assertRefused(SaevError.BAD_METADATA, "{\"model\": \"x\", \"seed\": 42}");
    assertRefused(SaevError.BAD_METADATA, "{}");
  }

  private static void assertRefused(SaevError kind, String text) {
    FormatException error = assertFails(kind, "metadata.json", () -> parse(text));
    assertThat(error.expected()).isNotEmpty();
    assertThat(error).hasMessageNotContaining("\n");
  }

  @Test
  void fieldsOfTheFirstFormsTravelAndComeBack() throws IOException {
    for (String name : List.of("prev1-model", "prev1-no-size", "prev1-vit-family")) {
      SaevMetadata first = metadata(name);
      for (ProtocolGeneration target : HostileMetadata.WRITABLE) {
        SaevMetadata there = first.to(target);
        assertThat(there.geometry()).isEqualTo(first.geometry());
        assertThat(there.foreignKeys()).isEmpty();
        assertThat(there.to(ProtocolGeneration.V1_0).to(target).hash()).isEqualTo(there.hash());
      }
    }
    assertThat(HostileMetadata.text(metadata("prev1-model").to(ProtocolGeneration.V1_0)))
        .contains("\"width\": 224", "\"height\": 224", "\"seed\": 42", "\"repr\": ");
    SaevMetadata last = metadata("prev1-vit-family");
    assertThat(last.to(ProtocolGeneration.V2_1).to(ProtocolGeneration.PRE_V1).hash())
        .isEqualTo(last.hash());
  }

  @ParameterizedTest
  @ValueSource(strings = {"v100pre", "v11a", "v11ren", "v20pre", "v20a", "v20orjson", "v21a-null"})
  void formsThatAreNotWrittenAnyMoreMoveToAllThatAre(String name) throws IOException {
    SaevMetadata form = metadata(name);
    for (ProtocolGeneration target : HostileMetadata.WRITABLE) {
      SaevMetadata there = form.to(target);
      assertThat(there.generation()).isEqualTo(target);
      assertThat(there.protocol()).isEqualTo(target.label());
      assertThat(there.geometry()).isEqualTo(form.geometry());
      assertThat(there.foreignKeys()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "v100pre, 1.0.0",
    "v100-without-dtype-and-protocol, 1.0.0",
    "v100-protocol-1.9, 1.0.0",
    "v11a, 1.1",
    "v11ren, 1.1",
    "v20pre, 2.0",
    "v20a, 2.0",
    "v20orjson, 2.0",
    "v21a-null, 2.1",
    "v21-without-dtype-and-protocol, 2.1",
    "v21-protocol-3.0, 2.1"
  })
  void aFormBetweenTheProtocolsBecomesAReal(String name, String label) throws IOException {
    SaevMetadata form = metadata(name);
    ProtocolGeneration target = ProtocolGeneration.ofLabel(label);
    SaevMetadata real = parse(HostileMetadata.text(form.to(target)));
    assertThat(real.generation()).isEqualTo(target);
    assertThat(real.protocol()).isEqualTo(label);
    assertThat(real.values().keySet()).containsExactlyElementsOf(target.keys(Map.of()));
    Class<?> kind = target.data() == ProtocolGeneration.Data.OBJECT ? Map.class : String.class;
    assertThat(real.value(MetadataField.DATA)).isInstanceOf(kind);
    assertThat(real.hash()).isEqualTo(target.hashRules().get(0).name(real.values()));
    assertThat(real.geometry()).isEqualTo(form.geometry());
    assertThat(real.to(target)).isSameAs(real);
    // and nothing got lost
    for (ProtocolGeneration other : HostileMetadata.WRITABLE) {
      assertThat(form.to(other).hash()).isEqualTo(real.to(other).hash());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v1",
        "v100",
        "v100-class-misnamed",
        "v100-foreign-key",
        "v11",
        "v11-prefer-fg",
        "v20",
        "v21a-majority",
        "v21",
        "v21-prefer-fg",
        "v21-reordered"
      })
  void whatIsOfAProtocolAlreadyStaysByteForByte(String name) throws IOException {
    SaevMetadata real = metadata(name);
    assertThat(real.to(real.generation())).isSameAs(real);
  }

  @Test
  void fieldsThatNoGenerationKnowsAreNotInAnother() throws IOException {
    SaevMetadata foreign = metadata("v100-foreign-key");
    assertFails(
        SaevError.NOT_REPRESENTABLE, "metadata.json", () -> foreign.to(ProtocolGeneration.V2_1));
  }

  @Test
  void halfACharacterMayBeInDataOfTwoOneButNotInItsCheckpoint() throws IOException {
    String half = text("v100").replace("/data/imgs/train", "/data/\\udcff");
    SaevMetadata moved = parse(half).to(ProtocolGeneration.V2_1);
    assertThat(moved.value(MetadataField.DATASET)).isEqualTo(".");
    assertThat(HostileMetadata.text(moved.to(ProtocolGeneration.V1_0))).isEqualTo(half);
    String dataset = text("v20").replace("\"dataset\": \"/data/", "\"dataset\": \"\\udcff/");
    SaevMetadata carried = parse(dataset).to(ProtocolGeneration.V2_1);
    assertThat(carried.value(MetadataField.DATASET)).isEqualTo(".");
    assertThat(HostileMetadata.text(carried.to(ProtocolGeneration.V2_0))).isEqualTo(dataset);
    SaevMetadata checkpoint = parse(text("v100").replace("ViT-B-32", "\\udcff"));
    assertFails(
        SaevError.NOT_REPRESENTABLE, "metadata.json", () -> checkpoint.to(ProtocolGeneration.V2_1));
  }

  @Test
  void valuesThatNoReaderTakesAreNotMoved() throws IOException {
    SaevMetadata number = parse(text("v100").replace("\"clip\"", "NaN"));
    assertFails(SaevError.BAD_FIELD, "metadata.json", () -> number.to(ProtocolGeneration.V2_1));
    SaevMetadata list = parse(text("v100pre").replaceFirst("\"ImageFolder.*\"", "[]"));
    assertFails(
        SaevError.NOT_REPRESENTABLE, "metadata.json", () -> list.to(ProtocolGeneration.LEGACY));
    SaevMetadata other = parse(text("v11-prefer-fg").replace("prefer-fg", "mean"));
    SaevMetadata moved = other.to(ProtocolGeneration.V2_1);
    assertThat(moved.value(MetadataField.PIXEL_AGG)).isEqualTo("majority");
    assertThat(moved.to(ProtocolGeneration.V1_1).hash()).isEqualTo(other.hash());
  }

  @Test
  void dataTooDeepForAnEnvelopeIsRefused() throws IOException {
    for (int depth : new int[] {498, 499}) {
      String nested = "{\"\":".repeat(depth) + "1" + "}".repeat(depth);
      SaevMetadata deep =
          parse(
              PythonJson.dumps(
                  HostileMetadata.parse(
                      text("v100")
                          .replaceFirst("(?s)\\{\\s+\"root.*?\\},\\s+\"dtype", "@,\"dtype")
                          .replace("@", nested)),
                  JsonStyle.COMPACT));
      for (ProtocolGeneration target :
          List.of(ProtocolGeneration.LEGACY, ProtocolGeneration.V2_1, ProtocolGeneration.V1_1)) {
        if (depth == 498) {
          assertThat(deep.to(target).to(ProtocolGeneration.V1_0).hash()).isEqualTo(deep.hash());
        } else {
          assertFails(SaevError.NOT_REPRESENTABLE, "metadata.json", () -> deep.to(target));
        }
      }
    }
  }

  public static SaevMetadata metadata(String name) throws IOException {
    return parse(text(name));
  }

  public static String text(String name) throws IOException {
    try (InputStream in =
        GenerationsTest.class.getResourceAsStream("generations/" + name + ".json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static SaevMetadata parse(String text) throws IOException {
    return SaevMetadata.parse("metadata.json", text.getBytes(StandardCharsets.UTF_8));
  }
}
