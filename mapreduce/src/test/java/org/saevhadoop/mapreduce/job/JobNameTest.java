package org.saevhadoop.mapreduce.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** The names under which a cluster lists jobs. */
class JobNameTest {
  @Test
  void aNameReportsWhatTheJobDoesWithWhichDataset() {
    assertThat(JobName.of("digest", new Path("hdfs://nn/data/acts")))
        .isEqualTo("saev-hadoop digest acts");
    assertThat(JobName.of("convert", new Path("/data/acts"), "pickle"))
        .isEqualTo("saev-hadoop convert acts to pickle");
    assertThat(JobName.of("digest", new Path("/"))).isEqualTo("saev-hadoop digest /");
  }

  @Test
  void longAndForeignNamesAreCutAndEscaped() {
    String name = JobName.of("digest", new Path("/" + "x".repeat(250) + "\u202e"));
    assertThat(name).hasSizeLessThan(150).matches("\\p{ASCII}+");
    assertThat(JobName.of("digest", new Path("/a\u202eb"))).matches("\\p{ASCII}+");
  }
}
