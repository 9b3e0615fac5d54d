package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.Corpus;

/** The short files of defaults that make local jobs of tests fast. */
class HadoopDefaultsTest {
  @ParameterizedTest
  @ValueSource(strings = {"core-default.xml", "mapred-default.xml"})
  void theyHaveTheValuesOfHadoop(String name) throws MalformedURLException {
    assumeTrue(VersionInfo.getVersion().startsWith("3.4."), "the files are those of Hadoop 3.4");
    Path folder = Corpus.checkout().resolve("mapreduce/src/test/hadoop-defaults");
    Configuration found = load(folder.resolve(name).toUri().toURL());
    Class<?> owner = name.startsWith("core") ? Configuration.class : JobConf.class;
    String archive = owner.getProtectionDomain().getCodeSource().getLocation().toString();
    Configuration expected = load(new URL("jar:" + archive + "!/" + name));
    assertThat(found.size()).isPositive();
    for (Map.Entry<String, String> property : found) {
      assertThat(property.getValue())
          .as(property.getKey())
          .isEqualTo(expected.getRaw(property.getKey()));
    }
  }

  private static Configuration load(URL file) {
    Configuration conf = new Configuration(false);
    conf.addResource(file);
    return conf;
  }
}
