package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

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
    Cli digest =
        Cli.run(
                "digest",
                Fixtures.saev(Fixtures.D768),
                "--with",
                Fixtures.saev(Fixtures.D768),
                "-D",
                "saev.input.2.convert.dtype=F16",
                "-D",
                "saev.input.1.examples=0:2")
            .succeeds();
    assertThat(digest.text()).contains("examples=7");
    assertThat(digest.stderr().replaceAll("\\s+", " "))
        .contains(
            "warning: saev.input.2.convert.dtype has no effect on 2 datasets"
                + " (expected an index from 0 to 1) ");
  }

  @Test
  void anOptionForTheWholeDoesNotOverruleTheKeyOfOneDataset() {
    Cli digest =
        Cli.run(
                "digest",
                Fixtures.saev(Fixtures.D768),
                "--with",
                Fixtures.saev(Fixtures.D768),
                "--examples",
                "1:",
                "-D",
                "saev.input.1.examples=0:2")
            .succeeds();
    assertThat(digest.text()).contains("examples=6");
    assertThat(digest.stderr()).doesNotContain("overrules");
  }
}
