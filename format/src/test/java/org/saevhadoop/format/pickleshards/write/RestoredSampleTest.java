package org.saevhadoop.format.pickleshards.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.ListedMetadata;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.shard.LayerKey;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.TokenRange;

/** Samples of which only some tokens are left. */
class RestoredSampleTest {
  private static final Geometry STORED = new Geometry(1, List.of(10, 12), 6, 4);
  private static final String TEXT =
      "{\"sample_idx\":7,\"activation\":{\"dtype\":\"float32\",\"shape\":{\"$tuple\":[%s]}},"
          + "\"shape\":{\"$tuple\":[%s]}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // as it was | the tokens that are left | as it is restored
        "3,4         | 2:8                      | 1,4",
        "6,4         | 2:8                      | 4,4",
        "8,4         | 2:8                      | 6,4",
        "20,4        | 2:8                      | 6,4",
        "2,4         | 2:8                      | 0,4",
        "4           | 2:8                      | 0,4",
        "0,4         | 2:8                      | 0,4",
        "3,0,4       | 2:8                      | 3,0,4",
        "2,3,4       | 2:8                      | 4,4",
        "2,3,4       | 0:6                      | 2,3,4",
        "4           | 0:6                      | 4",
        "5,4         | 0:2 3:4 6:9              | 3,4",
        "7,2         | 0:2 3:4 6:9              | 4,4",
        "6,4         | 10:16                    | 0,4",
        "3000000000,3000000000,4 | 10:16        | 6,4"
      })
  void anArrayHasTheTokensThatWereSelectedOfIt(String was, String tokens, String is)
      throws FormatException {
    RestoredSample sample = restored(TEXT.formatted(was, was), tokens, 10);
    assertThat(sample.shape())
        .containsExactly(Arrays.stream(is.split(",")).mapToLong(Long::parseLong).toArray());
    assertThat(LayerKey.items(LayerKey.get(sample.dict(), "shape")))
        .isEqualTo(Arrays.stream(sample.shape()).boxed().toList());
  }

  @Test
  void eachLayerHasTheTokensOfItsOwnArray() throws FormatException {
    String three = TEXT.formatted("3,4", "3,4");
    String five = TEXT.formatted("5,4", "5,4");
    String both = "{\"layers\":{\"$dict\":[[10,%s],[12,%s]]}}".formatted(three, five);
    assertThat(restored(both, "1:4 6:9", 10).shape()).containsExactly(2, 4);
    assertThat(restored(both, "1:4 6:9", 12).shape()).containsExactly(3, 4);
  }

  @Test
  void tokensThatAreNotThoseOfTheBlockAreAnError() {
    String text = TEXT.formatted("9,4", "9,4");
    assertFails(PickleError.BAD_METADATA, "x", () -> restored(text, "2:7", 10));
    assertFails(PickleError.BAD_METADATA, "x", () -> restored(text, "2:7 8:11", 10));
  }

  @Test
  void theDialectOfTheRealWritersRefusesASampleWithoutTokens(@TempDir Path folder)
      throws IOException {
    PickleWritePlan plan =
        new PickleWritePlan(STORED, 1 << 20, new ShardForm(Form.REAL, 4, null, true), "/out");
    ExampleMetadata sample = sample(TEXT.formatted("2,4", "2,4"), "2:8");
    DatasetWrite write =
        plan.write(ListedMetadata.of(sample), SampleOrigin.UNKNOWN, WrittenShards.UNKNOWN);
    BlockSink sink = write.sinks().open(0, false, new LocalFolder(folder), folder);
    ByteBuffer block = ByteBuffer.allocate((int) STORED.blockBytes());
    assertFails(ShardError.NOT_RESTORABLE, "shard_0001.pkl", () -> sink.write(0, 0, block));
    assertFails(DatasetError.INCOMPLETE, "shard_0001.pkl", sink::close);
  }

  private static RestoredSample restored(String text, String tokens, int layer)
      throws FormatException {
    return RestoredSample.of("x", sample(text, tokens), 0, layer, STORED);
  }

  private static ExampleMetadata sample(String text, String tokens) {
    List<TokenRange> ranges =
        Arrays.stream(tokens.split(" "))
            .map(range -> range.split(":"))
            .map(ends -> new TokenRange(Integer.parseInt(ends[0]), Integer.parseInt(ends[1])))
            .toList();
    return new ExampleMetadata(0, text).withTokens(ranges);
  }
}
