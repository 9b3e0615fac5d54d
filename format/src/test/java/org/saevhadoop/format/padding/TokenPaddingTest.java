package org.saevhadoop.format.padding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.ListedMetadata;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SidecarError;
import org.saevhadoop.format.samples.TokenRange;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class TokenPaddingTest {
  private static final int TOKENS = 4;

  private static InventedDataset dataset(int examples, int perShard, SampleMetadata samples) {
    return new InventedDataset(new Geometry(examples, List.of(1), TOKENS, 2), false, perShard)
        .with(null, samples);
  }

  private static BitSet read(String sample, TokenRange... ranges) throws IOException {
    ExampleMetadata line = new ExampleMetadata(0, sample).withTokens(List.of(ranges));
    try (TokenPadding padding = TokenPadding.of(dataset(1, 1, ListedMetadata.of(line)))) {
      return padding.read(0, 1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | {}",
        "{'activation':{'dtype':'float32','shape':{'$tuple':[3,2]}}} | {3}",
        "{'activation':{'shape':[2,2],'dtype':'float32'},'shape':[1,2]} | {2, 3}",
        "{'activation':{'dtype':'float32','shape':{'$tuple':[2,1,2]}}} | {2, 3}",
        "{'activation':{'dtype':'float32','shape':[2]}} | {1, 2, 3}",
        "{'activation':{'dtype':'float32','shape':[0,2]}} | {0, 1, 2, 3}",
        "{'activation':{'dtype':'float32','shape':[9,2]}} | {}",
        "{'activation':{'dtype':'float32','shape':[4294967296,4294967296,2]}} | {}",
        "{'layers':{'$dict':[[9,{'activation':{'dtype':'f','shape':[1,2]}}],[10,{'x':[{}],"
            + "'activation':{'dtype':'f','shape':[3,2]}}]]}} | {3}",
        // the whole sample counts before a field of the same name
        "{'layers':{'activation':{'dtype':'f','shape':[1,2]}},'activation':{'dtype':'f',"
            + "'shape':[3,2]}} | {3}",
        // descriptions of another kind
        "{'activation':{'shape':[2,2]}} | {}",
        "{'activation':{'dtype':'float32','shape':[2,'x']}} | {}",
        "{'activation':{'dtype':'float32','shape':[]}} | {}",
        "{'activation':{'dtype':'float32','shape':{}}} | {}",
        "{'activation':{'dtype':'float32','shape':7}} | {}",
        "{'activation':[2,2],'shape':[1,2]} | {}",
        "{'x':{'activation':{'dtype':'float32','shape':[2,2]}}} | {}",
        // masks mark padding by 0
        "{'tokens':{'attention_mask':[1,1,1,0]}} | {3}",
        "{'tokens':{'mask':[0,2,1,0]}} | {0, 3}",
        "{'tokens':{'attention_mask':[1,0,0,-1]}} | {1, 2, 3}",
        // token ids mark it by -1, all of them together
        "{'tokens':{'token_ids':[0,2,-1,-1]}} | {2, 3}",
        "{'tokens':{'input_ids':[1,-1,-1,-1],'tokens':[0,0,-1,-1]}} | {2, 3}",
        "{'tokens':{'input_ids':[1,2,-1,-1],'tokens':[0,-1,7,-1]}} | {3}",
        // the first mask alone decides
        "{'tokens':{'mask':[1,1,1,0],'attention_mask':[0,1,1,1]}} | {0}",
        "{'tokens':{'token_ids':[-1,-1,-1,-1],'mask':[1,1,1,0]}} | {3}",
        // integers of other names mark nothing, and need not be integers
        "{'tokens':{'cluster':[0,-1,2,-1]}} | {}",
        "{'tokens':{'a':[-1,-1,-1,-1],'loss_mask':[0,0,0,0]}} | {}",
        "{'tokens':{'a':[-1,'x'],'token_ids':[1,2,3,-1],'b':{'mask':[0]},'c':7}} | {3}",
        "{'tokens':{'token_ids':[1,2,3,18446744073709551615]}} | {}",
        "{'tokens':{'token_ids':[1,2,-1,-1],'tokens':[-1]}} | {}",
        "{'tokens':{'token_ids':[1,2,-1,-1.0]}} | {}",
        "{'tokens':{'token_ids':[1,2,-1,[-1]]}} | {}",
        "{'tokens':{'token_ids':'text'}} | {}",
        "{'tokens':{}} | {}",
        "{'tokens':[-1,-1,-1,-1]} | {}",
        "{'mask':[0,0,0,0],'token_ids':[-1,-1,-1,-1]} | {}",
        "{'tokens':{'mask':[1,1,1,0]},'activation':{'dtype':'f','shape':[2,2]}} | {2, 3}",
        // samples that were pickled have them in their metadata
        "{'metadata':{'x':1,'tokens':{'mask':[1,1,1,0]}}} | {3}",
        "{'metadata':{'position':3,'sample':{'tokens':{'mask':[1,1,0,0]}}}} | {2, 3}",
        "{'tokens':{'mask':[1,1,1,1]},'metadata':{'tokens':{'mask':[0,1,1,1]}}} | {}",
        "{'metadata':{'x':{'tokens':{'mask':[0,1,1,1]}}}} | {}",
        "{'metadata':[{'tokens':{'mask':[0,1,1,1]}}]} | {}"
      })
  void marksInSampleMetadataAreUnderstood(String sample, String padding) throws IOException {
    assertThat(read(sample.replace('\'', '"'))).hasToString(padding);
  }

  @Test
  void selectedTokensHaveThePositionsOfTheirSample() throws IOException {
    String shape = "{\"activation\":{\"dtype\":\"f\",\"shape\":[7,2]}}";
    assertThat(read(shape, new TokenRange(1, 3), new TokenRange(6, 8))).hasToString("{3}");
    assertThat(read(shape, new TokenRange(7, 11))).hasToString("{0, 1, 2, 3}");
    String integers = "{\"tokens\":{\"token_ids\":[1,2,3,4,-1,-1]}}";
    assertThat(read(integers, new TokenRange(0, 1), new TokenRange(3, 6))).hasToString("{2, 3}");
    // integers that were written after the selection
    String selected = "{\"tokens\":{\"token_ids\":[1,2,3,-1]}}";
    assertThat(read(selected, new TokenRange(5, 9))).hasToString("{3}");
    // those of a sample of as many tokens as are selected
    String whole =
        "{\"tokens\":{\"mask\":[0,1,1,1]},\"activation\":{\"dtype\":\"f\",\"shape\":[4,2]}}";
    assertThat(read(whole, new TokenRange(1, 5))).hasToString("{3}");
    assertFails(
        DatasetError.SAMPLE_METADATA_MISMATCH, "invented", () -> read(shape, new TokenRange(0, 3)));
  }

  @Test
  void metadataThatIsNotJsonIsReported() {
    assertFails(SidecarError.BAD_SIDECAR, "invented", () -> read("{\"activation\":{]}"));
    assertFails(SidecarError.BAD_SIDECAR, "invented", () -> read("{\"layers\":{\"a\":[1}}"));
  }

  @Test
  void tokensThatAreExamplesArePaddingByTheirIntegers() throws IOException {
    String mask = "{\"activation\":{\"dtype\":\"f\",\"shape\":[1,2]},\"tokens\":{\"mask\":%s}}";
    SampleMetadata lines =
        ListedMetadata.of(
            new ExampleMetadata(0, 5, 2, mask.formatted("[0,0,1,0,1,1]")),
            new ExampleMetadata(5, 1, 8, mask.formatted("[0]")),
            new ExampleMetadata(6, 1, 9, mask.formatted("[1]")));
    InventedDataset dataset =
        new InventedDataset(new Geometry(7, List.of(1), 1, 2), false, 7).with(null, lines);
    try (TokenPadding padding = TokenPadding.of(dataset)) {
      assertThat(padding.read(0, 7)).hasToString("{1, 5}");
      assertThat(padding.read(0, 1)).hasToString("{}");
      assertThat(padding.read(1, 1)).hasToString("{0}");
      assertThat(padding.read(2, 5)).hasToString("{3}");
    }
    assertThat(TokenPadding.isIn(dataset)).isTrue();
  }

  @Test
  void aDatasetWithoutMarksCannotHavePadding() throws IOException {
    InventedDataset dataset =
        new InventedDataset(new Geometry(3, List.of(1), TOKENS, 2), false, 3).with(null, null);
    try (TokenPadding padding = TokenPadding.of(dataset)) {
      assertThat(padding.isPossible()).isFalse();
      assertThat(padding.read(0, 3).isEmpty()).isTrue();
    }
    try (TokenPadding padding = TokenPadding.of(dataset(3, 3, SampleMetadata.NONE))) {
      assertThat(padding.isPossible()).isTrue();
      assertThat(padding.read(0, 3).isEmpty()).isTrue();
    }
    assertThat(TokenPadding.isIn(dataset)).isFalse();
  }

  @Property(tries = 300)
  void rangesInAnyOrderHaveThePaddingOfTheirExamples(RandomValues any) throws IOException {
    int examples = any.intBetween(1, 40);
    List<ExampleMetadata> lines = new ArrayList<>();
    BitSet expected = new BitSet();
    for (int example = 0; example < examples; example++) {
      if (any.bool()) {
        int length = any.intBetween(0, TOKENS + 1);
        lines.add(
            new ExampleMetadata(
                example, "{\"activation\":{\"dtype\":\"f\",\"shape\":[%d,2]}}".formatted(length)));
        if (length < TOKENS) {
          expected.set(example * TOKENS + length, (example + 1) * TOKENS);
        }
      }
    }
    InventedDataset dataset = dataset(examples, any.intBetween(1, 9), new ListedMetadata(lines));
    boolean ascending = any.bool();
    int next = 0;
    try (TokenPadding padding = TokenPadding.of(dataset)) {
      for (int i = 0; i < 10 && next < examples; i++) {
        int first = any.intBetween(ascending ? next : 0, examples - 1);
        int count = any.intBetween(0, examples - first);
        assertThat(padding.read(first, count))
            .isEqualTo(expected.get(first * TOKENS, (first + count) * TOKENS));
        next = first + count;
      }
    }
  }

  @Test
  void ascendingRangesOpenASidecarOnceAndSkipThoseOfOtherFiles() throws IOException {
    List<Long> opened = new ArrayList<>();
    SampleMetadata counted =
        (first, count) -> {
          opened.add(first);
          return SampleMetadata.NONE.cursor(first, count);
        };
    try (TokenPadding padding = TokenPadding.of(dataset(40, 10, counted))) {
      for (int first : new int[] {0, 2, 5, 9, 11, 13, 33, 35, 2}) {
        padding.read(first, 2);
      }
    }
    assertThat(opened).containsExactly(0L, 33L, 2L);
  }
}
