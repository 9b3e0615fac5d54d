package org.saevhadoop.mapreduce.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.saevhadoop.mapreduce.conf.JobXml;

class CommitterSettingsTest {
  private static final String DEFAULTS =
      "<configuration><property><name>fs.s3a.committer.name</name><value>file</value></property>"
          + "</configuration>";

  @Test
  void theCommitterOfS3AThatDoesNotCopyReplacesTheDefaultAndNotAChoice() throws IOException {
    Configuration conf = defaults();
    assertCommitter(conf, "magic");
    assertThat(conf.get("fs.s3a.committer.name")).isEqualTo("file");
    conf.set("fs.s3a.committer.name", "file");
    assertCommitter(conf, "file");
  }

  private static void assertCommitter(Configuration conf, String expected) throws IOException {
    for (Configuration set : List.of(conf, JobXml.through(conf))) {
      assertThat(CommitterSettings.of(set).get("fs.s3a.committer.name")).isEqualTo(expected);
    }
  }

  @Test
  void namesOfFilesStayAndTheFolderMayContainAMarker() {
    Configuration conf = new Configuration(false);
    conf.set("fs.s3a.committer.staging.unique-filenames", "true");
    conf.set("fs.s3a.committer.staging.conflict-mode", "replace");
    Configuration own = CommitterSettings.of(conf);
    assertThat(own.get("fs.s3a.committer.staging.unique-filenames")).isEqualTo("false");
    assertThat(own.get("fs.s3a.committer.staging.conflict-mode")).isEqualTo("append");
  }

  private static Configuration defaults() {
    Configuration conf = new Configuration(false);
    conf.addResource(
        new ByteArrayInputStream(DEFAULTS.getBytes(StandardCharsets.UTF_8)), "core-default.xml");
    return conf;
  }
}
