package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.tensor.DType;

class ListTextTest {
  @Test
  void anyTextsComeThroughTheFileOfAConfiguration() throws IOException {
    List<String> texts =
        List.of(
            "a;b",
            "${user.home}",
            " x ",
            "\\",
            "\\u0041",
            "a\\;",
            "\u0000\u001b\n",
            "\ud83d\ude00");
    Configuration conf = new Configuration(false);
    SaevConf.INPUT_TENSORS.setList(conf, texts);
    ByteArrayOutputStream xml = new ByteArrayOutputStream();
    conf.writeXml(xml);
    Configuration read = new Configuration(false);
    read.addResource(new ByteArrayInputStream(xml.toByteArray()));
    assertThat(SaevConf.INPUT_TENSORS.getList(read)).isEqualTo(texts);
  }

  @Test
  void whatAPersonWritesIsTakenAsItReads() {
    Configuration conf = new Configuration(false);
    SaevConf.INPUT_DTYPE.set(conf, " F32 ; a\\;b=F16;${x};");
    conf.set("x", "c=I8");
    InputNumbers numbers = InputNumbers.of(conf);
    assertThat(numbers.all()).isEqualTo(DType.F32);
    assertThat(numbers.own()).isEqualTo(Map.of("a;b", DType.F16, "c", DType.I8));
  }
}
