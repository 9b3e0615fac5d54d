package org.saevhadoop.mapreduce.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The names under which a cluster lists jobs. */
class JobNameTest {
  @Test
  void aNameReportsWhatTheJobDoesWithWhichDataset() {
    assertThat(JobName.of("digest", "acts")).isEqualTo("saev-hadoop digest acts");
    assertThat(JobName.of("convert", "acts", "pickle"))
        .isEqualTo("saev-hadoop convert acts to pickle");
    assertThat(JobName.of("digest", "")).isEqualTo("saev-hadoop digest /");
  }

  @Test
  void longAndForeignNamesAreCutAndEscaped() {
    String name = JobName.of("digest", "x".repeat(250) + "\u202e");
    assertThat(name).hasSizeLessThan(150).matches("\\p{ASCII}+");
    assertThat(JobName.of("digest", "a\u202eb")).matches("\\p{ASCII}+");
  }
}
