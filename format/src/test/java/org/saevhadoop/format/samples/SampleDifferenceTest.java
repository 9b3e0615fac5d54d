package org.saevhadoop.format.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleDifferenceTest {
  private int open;
  private int opened;

  @AfterEach
  void allCursorsAreClosed() {
    assertThat(open).isZero();
  }

  /** Returns the sample metadata of consecutive examples; an empty string for none. */
  private SampleMetadata samples(String... samples) {
    List<ExampleMetadata> lines = new ArrayList<>();
    for (int i = 0; i < samples.length; i++) {
      if (!samples[i].isEmpty()) {
        lines.add(new ExampleMetadata(i, samples[i]));
      }
    }
    return (first, count) -> cursor(lines.iterator());
  }

  private SampleMetadataCursor cursor(Iterator<ExampleMetadata> lines) {
    open++;
    opened++;
    return new SampleMetadataCursor() {
      @Override
      public ExampleMetadata next() {
        return lines.hasNext() ? lines.next() : null;
      }

      @Override
      public void close() {
        open--;
      }
    };
  }

  private Optional<SampleDifference> of(SampleMetadata... files) throws IOException {
    return SampleDifference.of(List.of(files));
  }

  @Test
  void theOrderOfFieldsDoesNotCount() throws IOException {
    SampleMetadata a = samples("{\"id\": 1, \"text\": \"a\"}", "", "{\"id\": 2}");
    SampleMetadata b = samples("{\"text\": \"a\", \"id\": 1}", "", "{\"id\": 2}");
    assertThat(of(a, b, a)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "{\"id\": 2, \"text\": \"x\"} | text \"x\" | text \"b\"",
        "{\"id\": 2.0, \"text\": \"b\"} | id 2.0 | id 2",
        "{\"id\": 2} | no text | text \"b\"",
        "{\"id\": 2, \"text\": \"b\", \"score\": null} | score null | no score",
        "'' | no id | id 2"
      })
  void theFirstDifferenceIsFound(String sample, String own, String expected) throws IOException {
    SampleMetadata a = samples("{\"id\": 1}", "{\"id\": 2, \"text\": \"b\"}", "{\"id\": 3}");
    SampleMetadata b = samples("{\"id\": 1}", sample, "{\"id\": 3}");
    SampleMetadata c = samples("{\"id\": 1}", "{\"id\": 2, \"text\": \"b\"}", "{\"id\": 4}");
    assertThat(of(a, c, b)).contains(new SampleDifference(2, 1, own, expected));
    assertThat(of(b, a)).contains(new SampleDifference(1, 1, expected, own));
    assertThat(of(a, c)).contains(new SampleDifference(1, 2, "id 4", "id 3"));
  }

  @Test
  void samplesAtTheEndAreCompared() throws IOException {
    SampleMetadata a = samples("{\"id\": 1}");
    SampleMetadata b = samples("{\"id\": 1}", "", "{\"id\": 2}");
    assertThat(of(a, b)).contains(new SampleDifference(1, 2, "id 2", "no id"));
    assertThat(of(b, a)).contains(new SampleDifference(1, 2, "no id", "id 2"));
  }

  @Test
  void eachFileIsReadOnce() throws IOException {
    SampleMetadata a = samples("{\"id\": 1}", "{\"id\": 2}");
    assertThat(of(a, a, a)).isEmpty();
    assertThat(opened).isEqualTo(3);
  }
}
