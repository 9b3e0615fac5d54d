package org.saevhadoop.mapreduce.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.JobXml;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class OutputTextTest {
  @Property(tries = 200, sample = 40)
  void anyTableGoesThroughTheXmlOfAConfiguration(RandomValues any) throws IOException {
    List<Column> columns = columns(any);
    int examples = any.intBetween(0, Integer.MAX_VALUE);
    int firstNumber = any.intBetween(-5, 1000);
    List<Integer> numbers =
        java.util.stream.IntStream.range(0, columns.size()).mapToObj(i -> firstNumber - i).toList();
    TableShape table = new TableShape(examples, columns, numbers);
    Configuration conf = new Configuration(false);
    ConfSettings.set(conf, OutputKeys.TABLE, table);
    assertThat(ConfSettings.get(JobXml.through(conf), OutputKeys.TABLE)).isEqualTo(table);
  }

  private static List<Column> columns(RandomValues any) {
    return any.distinct(1, 4, Column::name, () -> column(any));
  }

  private static Column column(RandomValues any) {
    String name =
        any.oneOf(
            () -> any.text(0, 4),
            () -> any.of("${user.name}", " a ", "\u0000", "\uffff", "\ud83d\ude00", "\r\n", "<&>"));
    DType dtype = any.of(DType.class);
    List<Long> shape = any.list(0, 3, () -> any.longBetween(0, 9));
    return new Column(name, dtype, dtype.bits() % 8 == 0 ? shape : List.of(4L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "[]",
        "{}",
        "{\"examples\": 1}",
        "{\"examples\": -1, \"columns\": []}",
        "{\"examples\": 1, \"columns\": [{\"name\": \"x\", \"dtype\": \"F17\", \"shape\": []}]}",
        "{\"examples\": 1, \"columns\": [{\"name\": \"x\", \"dtype\": \"F4\", \"shape\": []}]}",
        "{\"examples\": 1, \"columns\": [{\"name\": \"x\", \"dtype\": \"F32\", \"shape\": [-1]}]}",
        "{\"examples\": 1, \"columns\": [{\"name\": \"x\", \"dtype\": \"F32\"}]}",
        "{\"examples\": 1, \"numbers\": [1, 2], \"columns\":"
            + " [{\"name\": \"x\", \"dtype\": \"F32\", \"shape\": []}]}"
      })
  void whatIsNoTableIsRefusedWithItsKey(String text) {
    assertThatThrownBy(() -> conf(text))
        .isInstanceOf(SettingException.class)
        .hasMessageStartingWith("saev.output.table is ")
        .hasMessageEndingWith(" (expected {examples, columns: [{name, dtype, shape}]})");
  }

  private static TableShape conf(String text) {
    Configuration conf = new Configuration(false);
    conf.set(OutputKeys.TABLE.name(), text);
    return ConfSettings.get(conf, OutputKeys.TABLE);
  }

  /** By default, Jackson reads no text of more than 20,000,000 characters. */
  @Test
  void aDocumentOfAnyLengthIsReadAsItWasWritten() {
    String text = "x".repeat(20_000_001);
    Provenance provenance = Provenance.NONE.with("document", text);
    assertThat(OutputText.provenance(OutputText.of(provenance)).document("document").get())
        .isEqualTo(text);
  }
}
