package org.saevhadoop.format.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.samples.SidecarError;
import org.saevhadoop.format.samples.TokenRange;

/** Integers of tokens as sample metadata. */
class TokenSampleMetadataTest {
  /** Arrays whose values are ten times the example and the token, and a hundred times the array. */
  private record Numbered(List<String> names, int tokens) implements TokenArrays {
    @Override
    public TokenReader open() {
      return new TokenReader() {
        @Override
        public void read(int array, long first, LongBuffer dst) {
          for (int i = 0; dst.hasRemaining(); i++) {
            dst.put(100 * array + 10 * (first + i / tokens) + i % tokens);
          }
        }

        @Override
        public void close() {}
      };
    }
  }

  private static SampleMetadata known(ExampleMetadata... lines) {
    return (first, count) -> {
      Iterator<ExampleMetadata> next =
          List.of(lines).stream()
              .map(line -> line.part(first, count > 100 ? 100 : first + count))
              .filter(line -> line != null)
              .iterator();
      return () -> next.hasNext() ? next.next() : null;
    };
  }

  private static List<ExampleMetadata> lines(SampleMetadata metadata, long first, long count)
      throws IOException {
    List<ExampleMetadata> lines = new ArrayList<>();
    try (SampleMetadataCursor cursor = metadata.cursor(first, count)) {
      for (ExampleMetadata line = cursor.next(); line != null; line = cursor.next()) {
        lines.add(line);
      }
      assertThat(cursor.next()).isNull();
    }
    return lines;
  }

  @Test
  void eachExampleHasItsIntegersAfterWhatIsKnownOfIt() throws IOException {
    List<TokenRange> some = List.of(new TokenRange(1, 2), new TokenRange(3, 4));
    SampleMetadata source =
        known(
            new ExampleMetadata(1, " {\"tokens\": 1 } "),
            new ExampleMetadata(2, 2, 7, "{\"a\": {}}"),
            new ExampleMetadata(5, 1, ExampleMetadata.WHOLE, some, "{ }"));
    SampleMetadata merged =
        new TokenSampleMetadata(source, new Numbered(List.of("x", "y"), 2), "/data", 6);
    List<ExampleMetadata> all =
        List.of(
            new ExampleMetadata(0, text("{", 0)),
            new ExampleMetadata(1, text("{\"tokens\": 1 , ", 1)),
            new ExampleMetadata(2, 1, 7, text("{\"a\": {}, ", 2)),
            new ExampleMetadata(3, 1, 8, text("{\"a\": {}, ", 3)),
            new ExampleMetadata(4, text("{", 4)),
            // integers are at the positions of the selected tokens
            new ExampleMetadata(
                5,
                1,
                ExampleMetadata.WHOLE,
                some,
                "{ \"tokens\": {\"x\": [-1, 50, -1, 51], \"y\": [-1, 150, -1, 151]}}"));
    assertThat(lines(merged, 0, Long.MAX_VALUE)).isEqualTo(all);
    assertThat(lines(merged, 3, 2)).isEqualTo(all.subList(3, 5));
    assertThat(lines(merged, 6, 1)).isEmpty();
  }

  private static String text(String before, int example) {
    return "%s\"tokens\": {\"x\": [%d, %d], \"y\": [%d, %d]}}"
        .formatted(before, 10 * example, 10 * example + 1, 100 + 10 * example, 101 + 10 * example);
  }

  @Test
  void manyExamplesAreReadInPieces() throws IOException {
    SampleMetadata merged =
        new TokenSampleMetadata(
            SampleMetadata.NONE, new Numbered(List.of("x"), 1000), "/data", 200);
    List<ExampleMetadata> lines = lines(merged, 0, Long.MAX_VALUE);
    assertThat(lines).hasSize(200);
    assertThat(lines.get(199).sample()).startsWith("{\"tokens\": {\"x\": [1990, 1991, ");
  }

  @Test
  void integersThatNoSidecarCanHoldAreRefused() {
    TokenArrays many = new Numbered(List.of("x", "y"), 1 << 23);
    assertFails(
        SidecarError.TOO_LARGE,
        "/data",
        () -> new TokenSampleMetadata(SampleMetadata.NONE, many, "/data", 1).cursor(0, 1));
  }

  /** As in a combination of datasets that mark padding in different ways. */
  @Test
  void entriesThatASampleHasStayAndEachExampleHasItsOwnIntegers() throws IOException {
    SampleMetadata known =
        known(
            new ExampleMetadata(0, "{\"tokens\": {\"ids\": [7, {\"a\": \"},\"}] }, \"b\": 1}"),
            new ExampleMetadata(
                1, "{\"x\": {\"tokens\": 1}, \"tokens\":{\"mask\":[0],\"ids\":[8],\"z\":2.50}}"),
            new ExampleMetadata(2, "{\"tokens\": {}}"),
            new ExampleMetadata(3, "{\"tokens\": 5}"));
    TokenSampleMetadata all =
        new TokenSampleMetadata(known, new Numbered(List.of("mask"), 2), "path", 5);
    assertThat(lines(all, 0, 5))
        .extracting(ExampleMetadata::sample)
        .containsExactly(
            "{\"tokens\": {\"ids\": [7, {\"a\": \"},\"}], \"mask\": [0, 1]}, \"b\": 1}",
            "{\"x\": {\"tokens\": 1}, \"tokens\":{\"ids\":[8], \"z\":2.50, \"mask\": [10, 11]}}",
            "{\"tokens\": {\"mask\": [20, 21]}}",
            "{\"tokens\": 5, \"tokens\": {\"mask\": [30, 31]}}",
            "{\"tokens\": {\"mask\": [40, 41]}}");
  }
}
