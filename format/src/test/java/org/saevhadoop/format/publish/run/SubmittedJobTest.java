package org.saevhadoop.format.publish.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Documents of jobs on YARN, whole ones and parts that a kill has left. */
class SubmittedJobTest {
  private static final SubmittedJob JOB = new SubmittedJob("job_1700000000000_0042", "rm:8032");

  @Test
  void aPartOfADocumentStillNamesTheJob() throws IOException {
    byte[] document = JOB.toJson();
    assertThat(SubmittedJob.parse(JOB.fileName(), document)).isEqualTo(JOB);
    for (int length = 0; length < document.length; length++) {
      byte[] part = Arrays.copyOf(document, length);
      for (String name : new String[] {JOB.fileName(), JOB.fileName() + ".new"}) {
        assertThat(SubmittedJob.isDocument(name)).isTrue();
        assertThat(SubmittedJob.parse(name, part)).isEqualTo(new SubmittedJob(JOB.id(), "", name));
      }
    }
  }
}
