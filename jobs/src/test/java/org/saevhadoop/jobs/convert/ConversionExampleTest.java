package org.saevhadoop.jobs.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.jobs.TestDatasets;
import org.saevhadoop.jobs.digest.DatasetDigest;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.RunningJob;

/** The example in the Javadoc of {@link Conversion}: it compiles, runs, and is the same there. */
class ConversionExampleTest {
  private static final Pattern EXAMPLE = Pattern.compile("(?s)<pre>\\{@code\n(.*?) \\* \\}</pre>");

  @TempDir Path folder;

  @Test
  void theExampleConvertsChecksAndDigests() throws Exception {
    String target = folder.resolve("acts").toString();
    DatasetDigest digest = example(TestDatasets.saev().toString(), target);
    assertThat(folder.resolve("acts/dataset_manifest.json")).isRegularFile();
    assertThat(digest)
        .isEqualTo(
            Digest.of(TestDatasets.saev().toString(), new Configuration()).run(RunListener.NONE));
  }

  @Test
  void theJavadocShowsThisVeryCode() throws IOException {
    Matcher shown = EXAMPLE.matcher(source("main", "Conversion"));
    assertThat(shown.find()).isTrue();
    String code = shown.group(1).replaceAll("(?m)^ \\* ?", "    ");
    assertThat(source("test", "ConversionExampleTest")).contains(code);
  }

  private static String source(String tree, String name) throws IOException {
    return Files.readString(
        Corpus.checkout()
            .resolve("jobs/src")
            .resolve(tree)
            .resolve("java/org/saevhadoop/jobs/convert")
            .resolve(name + ".java"));
  }

  private static DatasetDigest example(String source, String target)
      throws IOException, InterruptedException {
    Configuration conf = new Configuration();
    conf.setBoolean("saev.convert.verify", true); // compares what was written with the source
    RunListener listener =
        new RunListener() {
          @Override
          public void progress(RunningJob job, long done, long total) {
            System.out.printf("%s: %d of %d bytes%n", job.step(), done, total);
          }
        };
    Conversion.Result written = Conversion.of(source, target, "safetensors", conf).run(listener);
    DatasetDigest digest = Digest.of(written.path(), conf).run(listener);
    return digest;
  }
}
