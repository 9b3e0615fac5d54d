package org.saevhadoop.mapreduce.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.job.DTypeRequest;
import org.saevhadoop.mapreduce.job.InputKeys;

class ListTextTest {
  private static final SettingKey<List<String>> TEXTS =
      SettingKey.of(
          "saev.test.texts", SettingTypes.list(SettingTypes.text("S", "any")), null, "Any texts.");

  @Test
  void aTextOfManyEscapesTakesLinearTime() {
    String text = "$\u00e4".repeat(400_000);
    Configuration conf = new Configuration(false);
    assertTimeoutPreemptively(
        Duration.ofMinutes(1), // a quadratic algorithm takes many minutes
        () -> {
          ConfSettings.set(conf, TEXTS, List.of(text));
          assertThat(ConfSettings.get(conf, TEXTS)).containsExactly(text);
        });
  }

  /** As quotes in the metadata of a dataset, of which there may be a million, are escaped. */
  @Test
  void anEscapeTakesNoMemoryOfItsOwn() {
    String text = "$" + "\\\"\u00e4".repeat(200_000);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    String encoded = ConfText.encode(text);
    assertThat(ConfText.decode(encoded)).isEqualTo(text);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).isLessThan(20L * encoded.length());
  }

  @Test
  void whatAPersonWritesIsTakenAsItReads() {
    Configuration conf = new Configuration(false);
    conf.set(InputKeys.DTYPE.name(), " F32 ; a\\;b=F16;${x};");
    conf.set("x", "c=I8");
    DTypeRequest numbers = DTypeRequest.of(ConfSettings.read(conf, InputKeys.all()));
    assertThat(numbers.all()).isEqualTo(DType.F32);
    assertThat(numbers.own()).isEqualTo(Map.of("a;b", DType.F16, "c", DType.I8));
  }
}
