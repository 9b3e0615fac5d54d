package org.saevhadoop.mapreduce.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;

class SharingJobConfTest {
  private final SharingJobConf job = new SharingJobConf(new Configuration(false));
  private int opened;

  private String open(Configuration conf) throws IOException {
    return SharingJobConf.source(conf, String.class, () -> "source " + ++opened);
  }

  @Test
  void copiesShareTheSource() throws IOException {
    assertThat(open(job)).isEqualTo("source 1");
    assertThat(open(new SharingJobConf(job))).isEqualTo("source 1");
    assertThat(open(new SharingJobConf(new Configuration(false)))).isEqualTo("source 2");
  }

  @Test
  void eachSourceOfAJobIsSharedByItself() throws IOException {
    assertThat(open(SourceKeys.of(job, 1))).isEqualTo("source 1");
    assertThat(open(job)).isEqualTo("source 2");
    assertThat(open(SourceKeys.of(new SharingJobConf(job), 1))).isEqualTo("source 1");
    job.share(2, "given");
    assertThat(open(SourceKeys.of(job, 2))).isEqualTo("given");
  }

  @Test
  void aTaskOnAClusterOpensItsSource() throws IOException {
    JobConf task = new JobConf(job);
    assertThat(open(task)).isEqualTo("source 1");
    assertThat(open(SourceKeys.of(task, 0))).isEqualTo("source 2");
  }

  @Test
  void aSourceThatCannotBeOpenedIsOpenedAgain() throws IOException {
    assertThatThrownBy(
            () ->
                SharingJobConf.source(
                    job,
                    String.class,
                    () -> {
                      throw new IOException("denied");
                    }))
        .hasMessage("denied");
    assertThat(open(job)).isEqualTo("source 1");
  }
}
