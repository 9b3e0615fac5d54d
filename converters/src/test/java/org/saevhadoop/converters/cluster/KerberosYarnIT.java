package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import org.apache.hadoop.io.nativeio.NativeIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs on a secured YARN. {@link KerberosIT} runs the same in this process. */
@Tag("kerberos")
@Tag("long")
class KerberosYarnIT extends SecuredJobs {
  @BeforeAll
  static void startYarn() throws Exception {
    startStorages();
    conf = clusters.startYarn(jobs);
  }

  /** Its map outputs are served to reducers only by a NodeManager with libhadoop. */
  @Override
  @Test
  void aShuffleWorksWithTokens() throws Exception {
    if (!NativeIO.isAvailable()) {
      assertThat(System.getenv("CI")).as("CI must have libhadoop").isNotEqualTo("true");
      abort("libhadoop is not available for this system");
    }
    conf.setBoolean("mapreduce.job.ubertask.enable", false);
    super.aShuffleWorksWithTokens();
  }
}
