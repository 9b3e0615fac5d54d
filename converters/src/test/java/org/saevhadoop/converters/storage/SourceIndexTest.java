package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;

/** Keys of one of several datasets, whose names contain the index of the dataset. */
class SourceIndexTest {
  @Test
  void aKeyOfOneDatasetHasNoEffectOnASingleDataset() {
    Cli digest =
        Cli.run("digest", Fixtures.saev(Fixtures.D768), "-D", "saev.input.0.examples=0:2")
            .succeeds();
    assertThat(digest.text()).contains("examples=5");
    assertThat(digest.stderr().replaceAll("\\s+", " "))
        .isEqualTo(
            "warning: saev.input.0.examples has no effect on a single dataset"
                + " (expected saev.input.examples) ");
  }

  @Test
  void anIndexWithoutADatasetHasNoEffect() {
    Cli digest = ofTwo("-D", "saev.input.2.convert.dtype=F16", "-D", "saev.input.1.examples=0:2");
    assertThat(digest.text()).contains("examples=7");
    assertThat(digest.stderr().replaceAll("\\s+", " "))
        .contains(
            "warning: saev.input.2.convert.dtype has no effect on 2 datasets"
                + " (expected an index from 0 to 1) ");
  }

  @Test
  void anOptionForTheWholeDoesNotOverruleTheKeyOfOneDataset() {
    Cli digest = ofTwo("--examples", "1:", "-D", "saev.input.1.examples=0:2");
    assertThat(digest.text()).contains("examples=6");
    assertThat(digest.stderr()).doesNotContain("overrules");
  }

  private static Cli ofTwo(String... options) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("digest", Fixtures.saev(Fixtures.D768).toString()));
    words.addAll(List.of("--with", Fixtures.saev(Fixtures.D768).toString()));
    words.addAll(List.of(options));
    return Cli.run(words.toArray()).succeeds();
  }
}
