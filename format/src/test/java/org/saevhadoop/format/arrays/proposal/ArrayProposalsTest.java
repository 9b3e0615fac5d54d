package org.saevhadoop.format.arrays.proposal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.arrays.proposal.ShapedFiles.floats;
import static org.saevhadoop.format.arrays.proposal.ShapedFiles.ids;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.proposal.ArrayProposals.Variant;
import org.saevhadoop.format.dataset.Geometry;

/** What is proposed for the layouts that programs write, and what is asked. */
class ArrayProposalsTest {
  private ShapedFiles files = new ShapedFiles("/data");

  @Test
  void requestsOfVllmAreTokenLayerDim() throws IOException {
    files.add("hs_0.made", floats("hidden_states", 5, 3, 8), ids("token_ids", 5));
    files.add("hs_1.made", floats("hidden_states", 5, 3, 8), ids("token_ids", 5));
    assertThat(files.options()).containsExactly("--tensor hidden_states=token,layer,dim");
    assertThat(files.geometry()).isEqualTo(new Geometry(2, List.of(0, 1, 2), 5, 8));
    assertThat(files.proposals().questions()).isEmpty();
  }

  @Test
  void lengthsThatDifferAreFlattenedTruncatedOrPadded() throws IOException {
    files.add("hs_0.made", floats("hidden_states", 5, 3, 8), ids("token_ids", 5));
    files.add("hs_1.made", floats("hidden_states", 9, 3, 8), ids("token_ids", 9));
    String tensor = "--tensor hidden_states=token,layer,dim --ragged ";
    assertThat(files.options())
        .containsExactly(tensor + "flatten", tensor + "truncate:5", tensor + "pad:9");
    assertThat(files.proposals().questions())
        .containsExactly("how examples of different lengths are handled (5 to 9 tokens)");
    assertThat(files.geometry().examples()).isEqualTo(14);
  }

  @Test
  void dimensionsOfTheSameSizeAreBothProposed() throws IOException {
    files.add("hs_0.made", floats("hidden_states", 3, 3, 8), ids("token_ids", 3));
    assertThat(files.options())
        .containsExactly(
            "--tensor hidden_states=token,layer,dim", "--tensor hidden_states=layer,token,dim");
    assertThat(files.proposals().questions()).hasSize(1);
  }

  @Test
  void aFileOfOtherLengthDecidesForSquareOnes() throws IOException {
    files.add("hs_0.made", floats("hidden_states", 3, 3, 8), ids("token_ids", 3));
    files.add("hs_1.made", floats("hidden_states", 4, 3, 8), ids("token_ids", 4));
    assertThat(files.options())
        .allMatch(o -> o.startsWith("--tensor hidden_states=token,layer,dim "));
  }

  @Test
  void theNumberInWhichNamesDifferIsThatOfTheLayer() throws IOException {
    files.add("a.made", floats("acts.3.0", 4, 8), floats("acts.7.0", 4, 8));
    assertThat(files.options()).contains("--tensor acts.{layer}.0=example,dim");
  }

  @Test
  void tokenIdsThatNothingFitsAreLeftOut() throws IOException {
    files.add("hs_0.made", floats("hidden_states", 4, 3, 2), ids("token_ids", 5));
    assertThat(files.options())
        .containsExactly(
            "--tensor hidden_states=token,layer,dim --no-sample-metadata",
            "--tensor hidden_states=layer,token,dim --no-sample-metadata");
  }

  @Test
  void dimensionsThatNothingFitsAreLeftToTheUser() throws IOException {
    files.add("hs_0.made", floats("hidden_states", 4, 3, 2), ids("token_ids", 5, 1, 1));
    assertThat(files.options()).isEmpty();
    assertThat(files.proposals().questions())
        .containsExactly(
            "which dimensions the arrays hidden_states F32[4, 3, 2] have"
                + " (--tensor hidden_states=AXES)");
  }

  @Test
  void eachOfSeveralArraysIsAnAlternative() throws IOException {
    files.add("a.made", floats("mean", 4, 8), floats("b", 4, 5, 8), floats("c", 4, 5, 9));
    assertThat(files.options())
        .startsWith("--tensor b=example,token,dim", "--tensor c=example,token,dim")
        .contains("--tensor mean=example,dim");
    assertThat(files.proposals().questions().get(0)).contains("b F32[4, 5, 8], c F32[4, 5, 9]");
  }

  @Test
  void layersOfNamesAreLikelierThanOtherArrays() throws IOException {
    files.add("a.made", floats("hook_embed", 4, 5, 8), floats("blocks.3.hook_mlp_out", 4, 5, 8));
    assertThat(files.options())
        .containsExactly(
            "--tensor blocks.{layer}.hook_mlp_out=example,token,dim",
            "--tensor hook_embed=example,token,dim",
            "--tensor hook_embed=example,layer,dim",
            "--tensor hook_embed=layer,example,dim");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          layer_3_attn.x layer_3_mlp.x     | layer_{layer}_attn.x layer_{layer}_mlp.x
          layers.3.block_5.x               | layers.{layer}.block_5.x layers.3.block_{layer}.x
          a_layer3_0_9.x a_layer3_0_10.x b_layer3_0_9.x \
                                           | a_layer{layer}_0_{shard}.x b_layer{layer}_0_9.x
          """)
  void eachKindOfNamesWithLayersIsAnAlternative(String names, String patterns) {
    List<String> questions = new ArrayList<>();
    List<String> files = List.of(names.split(" "));
    assertThat(FilePatterns.of(files, files, false, Optional.empty(), questions))
        .extracting(FilePatterns.Choice::pattern)
        .containsExactly(patterns.split(" "));
    assertThat(questions).hasSize(1);
  }

  @Test
  void partsOfLayersAreReadTogether() {
    List<String> questions = new ArrayList<>();
    List<String> files = List.of("layer_3_part0.x", "layer_3_part1.x");
    assertThat(FilePatterns.of(files, files, false, Optional.empty(), questions))
        .extracting(FilePatterns.Choice::pattern)
        .containsOnlyNulls();
    assertThat(questions).isEmpty();
  }

  @Test
  void uploadsOfActivaultAreInTheOrderOfTheirNumbers() {
    List<String> paths = List.of("blocks.3.x/a--2_0.saved.pt", "blocks.3.x/b--1_0.saved.pt");
    assertThat(FilePatterns.of(paths, paths, false, Optional.empty(), new ArrayList<>()))
        .extracting(FilePatterns.Choice::pattern)
        .containsExactly("{hook}/{example}--{shard}.saved.pt");
  }

  @Test
  void foldersOfHooksAreLayers() throws IOException {
    // Llamascopium
    for (String hook : List.of("blocks.10.hook_resid_post", "blocks.9.hook_resid_post")) {
      for (int chunk = 0; chunk < 2; chunk++) {
        files.add(
            "%s/chunk-%08d.made".formatted(hook, chunk),
            floats("activation", 4, 5, 8),
            ids("tokens", 4, 5));
      }
    }
    assertThat(files.options())
        .containsExactly("--files {hook}/chunk-{shard}.made --tensor activation=example,token,dim");
    assertThat(files.geometry()).isEqualTo(new Geometry(8, List.of(9, 10), 5, 8));
  }

  @Test
  void shardsOfSeveralProcessesHaveAllNumbersInOnePlaceholder() throws IOException {
    for (int rank = 0; rank < 2; rank++) {
      for (int chunk = 0; chunk < 2; chunk++) {
        files.add(
            "blocks.3.mlp/shard-%d-chunk-%08d.made".formatted(rank, chunk),
            floats("activation", 4, 5, 8));
      }
    }
    assertThat(files.options()).containsExactly("--files {hook}/shard-{shard}.made");
  }

  @Test
  void foldersOfARunAndAHookAreFoundTwoLevelsBelow() throws IOException {
    // activault
    for (String hook : List.of("layers.5", "layers.20")) {
      for (String file : List.of("0c1e-a--1_0", "77f0-b--2_0")) {
        files.add(
            "run/%s/%s.saved.made".formatted(hook, file),
            floats("states", 4, 5, 8),
            ids("input_ids", 4, 5));
      }
    }
    assertThat(files.options())
        .containsExactly("--files run/{hook}/{shard}.saved.made --tensor states=example,token,dim");
    assertThat(files.geometry().layers()).containsExactly(5, 20);
  }

  @Test
  void hooksWithoutNumbersAreNamedInNaturalOrder() throws IOException {
    files.add("mlp_out/0.made", floats("x", 4, 5, 8));
    files.add("attn_out/0.made", floats("x", 4, 5, 8));
    assertThat(files.options())
        .containsExactly(
            "--files {hook}/0.made --layer-names attn_out,mlp_out",
            "--files {shard}/0.made",
            "--files {shard}/0.made --tensor x=example,layer,dim",
            "--files {shard}/0.made --tensor x=layer,example,dim");
    assertThat(files.proposals().questions())
        .containsExactly("whether the folders are layers or parts: attn_out, mlp_out");
  }

  @Test
  void severalHooksOfALayerAreAlternatives() throws IOException {
    for (String hook : List.of("blocks.1.pre", "blocks.1.post", "blocks.2.pre", "blocks.2.post")) {
      files.add(hook + "/0.made", floats("x", 4, 5, 8));
    }
    assertThat(files.options())
        .containsExactly(
            "--files blocks.{layer}.post/0.made",
            "--files blocks.{layer}.pre/0.made",
            "--files {hook}/0.made --layer-names blocks.1.post,blocks.1.pre,blocks.2.post,blocks.2.pre");
  }

  @Test
  void aFolderThatIsNamedAsALayerGivesItsNumber() throws IOException {
    files = new ShapedFiles("/run/blocks.7.hook_resid_post");
    files.add("0.made", floats("states", 4, 5, 8), ids("input_ids", 4, 5));
    assertThat(files.options()).containsExactly("--tensor states=example,token,dim");
    assertThat(files.geometry().layers()).containsExactly(7);
  }

  @Test
  void theItemsOfAListAreLayersOrExamples() throws IOException {
    files.add("a.made", floats("arr_0", 4, 5, 8), floats("arr_1", 4, 5, 8));
    assertThat(files.options())
        .containsExactly(
            "--tensor arr_{layer}=example,token,dim", "--tensor arr_{example}=example,token,dim");
    files = new ShapedFiles("/data");
    files.add(
        "a.made",
        floats("hidden_states.0", 5, 8),
        floats("hidden_states.1", 5, 8),
        ids("input_ids", 5));
    assertThat(files.options()).containsExactly("--tensor hidden_states.{layer}=token,dim");
  }

  @Test
  void vectorsMayBeTheTokensOfExamples() throws IOException {
    files.add("a.made", floats(ArrayFile.UNNAMED, 24, 8));
    assertThat(files.options()).containsExactly("");
    assertThat(files.proposals().questions())
        .containsExactly(
            "how many consecutive vectors are the tokens of an example, if not one"
                + " (--tokens-per-example)");
  }

  @Test
  void whatIsUnfinishedHiddenOrAStatisticIsNoData() throws IOException {
    files.add("a.made", floats("x", 4, 5, 8));
    for (String name : List.of(".b.made", "c.tmp.made", "mean.made", "std.made")) {
      files.add(name, floats("x", 7, 7, 7));
    }
    assertThat(files.options())
        .containsExactly("", "--tensor x=example,layer,dim", "--tensor x=layer,example,dim");
    assertThat(files.geometry()).isEqualTo(new Geometry(4, List.of(0), 5, 8));
    assertThat(files.proposals().files()).isEqualTo(1);
  }

  @Test
  void aDamagedFileIsAWarning() throws IOException {
    files.add("part0.made", floats("x", 4, 8)).add("part1.made");
    assertThat(files.options()).containsExactly("");
    assertThat(files.proposals().warnings()).containsExactly("/data/part1.made: is damaged");
  }

  @Test
  void ofManyFilesASampleIsReadOnce() throws IOException {
    for (int i = 0; i < 2000; i++) {
      files.add("hs_%d.made".formatted(i), floats("hidden_states", 5, 3, 8), ids("token_ids", 5));
    }
    ArrayProposals found = files.proposals();
    assertThat(found.headers()).isEqualTo(HeaderSample.MAX_HEADERS + 1);
    assertThat(files.reads()).isEqualTo(HeaderSample.MAX_HEADERS + 1);
    assertThat(found.files()).isEqualTo(2000);
    assertThat(found.alternatives().get(0).geometry().examples()).isEqualTo(2000);
  }

  @Test
  void nothingIsProposedWithoutFloats() throws IOException {
    files.add("a.made", ids("token_ids", 4, 5));
    assertThat(
            ArrayProposals.of(
                files.location(), List.of(new Variant(files, false, Set.of("dataset.json")))))
        .isEmpty();
  }

  @Test
  void datasetsBelowAFolderNeedNoProposal() throws IOException {
    files.add("a/0.made", floats("x", 4, 5, 8)).add("b/0.made", floats("x", 4, 5, 8));
    files.add("b/dataset.json");
    assertThat(files.options())
        .containsExactly(
            "--files a/0.made",
            "--files a/0.made --tensor x=example,layer,dim",
            "--files a/0.made --tensor x=layer,example,dim");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          X.made Z.made                  | X.made Z.made {hook}.made
          attn_0.made attn_1.made mlp_0.made mlp_1.made \
            | null attn_{layer}.made attn_{shard}.made mlp_{layer}.made mlp_{shard}.made
          train_0.made test_0.made test_1.made | train_0.made test_{shard}.made
          trainX.made testX.made         | trainX.made testX.made
          acts.made acts_(1).made        | null
          layer_3_train.made layer_4_train.made layer_3_val.made layer_4_val.made \
                                         | layer_{layer}_train.made layer_{layer}_val.made
          img/img_0.made img/img_1.made txt/txt_0.made txt/txt_1.made \
                       | img/img_{shard}.made txt/txt_{shard}.made {hook}/{hook}_{shard}.made
          """)
  void eachSetOfFilesIsAnAlternative(String names, String patterns) {
    List<String> files = List.of(names.split(" "));
    List<String> questions = new ArrayList<>();
    assertThat(FilePatterns.of(files, files, false, Optional.empty(), questions))
        .extracting(choice -> String.valueOf(choice.pattern()))
        .filteredOn(pattern -> !names.startsWith("X") || !pattern.equals("null"))
        .containsExactly(patterns.split(" "));
    assertThat(questions.isEmpty()).isEqualTo(names.contains("(1)"));
  }

  @Test
  void copiesOfFilesAreAskedFor() {
    List<String> files = List.of("acts.x", "acts (1).x");
    List<String> questions = new ArrayList<>();
    assertThat(FilePatterns.of(files, files, false, Optional.empty(), questions))
        .extracting(FilePatterns.Choice::pattern)
        .containsExactly("acts.x", "acts (1).x");
    assertThat(questions).containsExactly("whether the copies are read: acts (1).x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          train/layer_3 train/layer_4 val/layer_3 val/layer_4 | train: val:
          test/layer_3/0 test/layer_4/0 dev/layer_3/0 | test:--files,{hook}/0.made dev:--files,{hook}/0.made
          run/train/0 run/dev/0 other/train/0         | run/train: run/dev: other/train:
          train/val/0 train/test/0 test/val/0    | train/val: train/test: test:--files,val/0.made
          train/0 extra/0                             | train: extra:
          train/X train/Z val/X       | train:--files,X.made train:--files,Z.made val:
          layer_3/0 layer_4/0         | :--files,{hook}/0.made
          train/0 train/1             | :--files,train/{shard}.made
          """)
  void foldersForTrainingAndMeasuringAreDatasetsOfTheirOwn(String names, String expected)
      throws IOException {
    for (String name : names.split(" ")) {
      files.add(name + ShapedFiles.ENDING, floats("x", 5, 8));
    }
    assertThat(files.proposals().alternatives())
        .filteredOn(way -> !way.options().contains("--layer-names"))
        .extracting(way -> way.folder() + ":" + String.join(",", way.options()))
        .containsExactlyInAnyOrder(expected.split(" "));
    assertThat(files.proposals().questions().get(0).startsWith("which of the folders is read"))
        .isEqualTo(!expected.startsWith(":"));
  }

  @Test
  void integersInFilesOfTheirOwnAreReadWithTheVectors() throws IOException {
    files.add("train_X.made", floats(ArrayFile.UNNAMED, 4, 8));
    files.add("train_y.made", ids(ArrayFile.UNNAMED, 4));
    assertThat(files.options()).containsExactly("");
    files.add("test_X.made", floats(ArrayFile.UNNAMED, 3, 8));
    files.add("test_y.made", ids(ArrayFile.UNNAMED, 3));
    assertThat(files.options())
        .containsExactly("--files train_{shard}.made", "--files test_{shard}.made");
  }

  @Test
  void tokenIdsInAFileOfTheirOwnDecideTheDimensions() throws IOException {
    files.add("acts.made", floats("acts", 5, 3, 8));
    files.add("input_ids.made", ids(ArrayFile.UNNAMED, 5));
    assertThat(files.options()).containsExactly("--tensor acts=token,layer,dim");
  }

  @Test
  void aFirstDimensionOfOneSizeIsThatOfLayers() throws IOException {
    for (int i = 0; i < 3; i++) {
      files.add("prompt_" + i + ".made", floats(ArrayFile.UNNAMED, 13, 5 + i, 8));
    }
    assertThat(files.options())
        .startsWith(
            "--tensor array=layer,token,dim --ragged flatten",
            "--tensor array=layer,token,dim --ragged truncate:5",
            "--tensor array=layer,token,dim --ragged pad:7",
            "--tensor array=example,token,dim --ragged flatten");
    assertThat(files.geometry().layers()).hasSize(13);
  }

  @Test
  void theSameIsSoForBatchesOfOnePrompt() throws IOException {
    for (int i = 0; i < 3; i++) {
      files.add("prompt_" + i + ".made", floats("hs", 13, 1, 5 + i, 8));
    }
    assertThat(files.options()).startsWith("--tensor hs=layer,example,token,dim --ragged flatten");
  }

  @Test
  void filesOfDifferentLengthsAreExamplesThatKeepTheirNames() throws IOException {
    files.add("P1A.made", floats("x", 5, 8));
    files.add("Q9Z.made", floats("x", 7, 8));
    files.add("R2B.made", floats("x", 4, 8));
    assertThat(files.options())
        .containsExactly(
            "--tensor x=token,dim --ragged flatten",
            "--tensor x=token,dim --ragged truncate:4",
            "--tensor x=token,dim --ragged pad:7",
            "--tensor x=example,dim");
  }

  @Test
  void filesOfOneLengthAndARestAreParts() throws IOException {
    files.add("0.made", floats("x", 8, 8));
    files.add("1.made", floats("x", 8, 8));
    files.add("2.made", floats("x", 3, 8));
    assertThat(files.options()).containsExactly("");
  }

  @Test
  void manyArraysOfOneWidthAreExamples() throws IOException {
    files.add("a.made", floats("ACT", 5, 8), floats("MYC", 7, 8), floats("TP53", 4, 8));
    assertThat(files.options())
        .startsWith("--tensor {example}=token,dim --ragged flatten")
        .contains("--tensor MYC=example,dim");
  }

  @Test
  void vectorsOfNestedDictionariesAreNamedByTheirLastKey() throws IOException {
    files.add("a.made", floats("emb.TP53", 8), floats("emb.MYC", 8));
    assertThat(files.options()).containsExactly("--tensor emb.{example}=dim");
    assertThat(files.geometry()).isEqualTo(new Geometry(2, List.of(0), 1, 8));
  }

  @Test
  void aMaskOfFloatsIsProposedToBeKept() throws IOException {
    files.add("a.made", floats("x", 4, 5, 8), floats("attention_mask", 4, 5));
    assertThat(files.options())
        .startsWith("--tensor x=example,token,dim --mask attention_mask=keep");
  }

  @Test
  void dimensionsAreNotAskedForWhereTheyDoNotHelp() throws IOException {
    files.add("0.made", floats("x", 4, 5, 8));
    files.add("1.made", floats("x", 4, 5, 9));
    assertThat(files.options()).isEmpty();
    assertThat(files.proposals().questions()).noneMatch(question -> question.contains("AXES"));
    assertThat(files.proposals().warnings()).anyMatch(line -> line.contains("width 9"));
  }

  @Test
  void filesOfIntegersInFoldersOfLayersAreReadToo() throws IOException {
    for (int layer = 3; layer < 5; layer++) {
      files.add("layer_%d/acts.made".formatted(layer), floats("x", 4, 5, 8));
      files.add("layer_%d/input_ids.made".formatted(layer), ids(ArrayFile.UNNAMED, 4, 5));
    }
    assertThat(files.options())
        .containsExactly("--files {hook}/{shard}.made --tensor x=example,token,dim");
    assertThat(files.geometry()).isEqualTo(new Geometry(4, List.of(3, 4), 5, 8));
  }
}
