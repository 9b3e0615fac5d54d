package org.saevhadoop.jobs.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.jobs.digest.Digest;

class LocalTasksTest {
  /** More tasks than buffers of 1 MiB fit in the memory of the tests. */
  private static final int EXAMPLES = 3000;

  @TempDir Path folder;

  private Path vectors() throws IOException {
    String header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 2), }".formatted(EXAMPLES);
    ByteArrayOutputStream npy = new ByteArrayOutputStream();
    npy.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0});
    npy.writeBytes("%-117s\n".formatted(header).getBytes(StandardCharsets.US_ASCII));
    npy.writeBytes(new byte[EXAMPLES * 2 * Float.BYTES]);
    return Files.write(folder.resolve("acts.npy"), npy.toByteArray());
  }

  @Test
  void tasksThatWaitOrHaveEndedHoldNoBuffers() throws Exception {
    String path = vectors().toString();
    Configuration conf = new Configuration();
    conf.setLong("mapreduce.input.fileinputformat.split.maxsize", 1);
    assertThat(Digest.of(path, conf).run(RunListener.NONE))
        .isEqualTo(Digest.of(path, null).run(RunListener.NONE));
  }
}
