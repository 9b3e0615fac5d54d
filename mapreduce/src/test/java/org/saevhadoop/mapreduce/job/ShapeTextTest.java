package org.saevhadoop.mapreduce.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.SettingException;

class ShapeTextTest {
  @Property(tries = 200)
  void anyTableGoesThroughTheXmlOfAConfiguration(
      @ForAll("columns") List<Column> columns,
      @ForAll @IntRange(min = 0) int examples,
      @ForAll @IntRange(min = -5, max = 1000) int firstNumber)
      throws IOException {
    List<Integer> numbers =
        java.util.stream.IntStream.range(0, columns.size()).mapToObj(i -> firstNumber - i).toList();
    TableShape table = new TableShape(examples, columns, numbers);
    Configuration conf = new Configuration(false);
    ConfSettings.set(conf, OutputKeys.TABLE, table);
    ByteArrayOutputStream xml = new ByteArrayOutputStream();
    conf.writeXml(xml);
    Configuration read = new Configuration(false);
    read.addResource(new ByteArrayInputStream(xml.toByteArray()));
    assertThat(ConfSettings.get(read, OutputKeys.TABLE)).isEqualTo(table);
  }

  @Provide
  Arbitrary<List<Column>> columns() {
    Arbitrary<String> names =
        Arbitraries.oneOf(
            Arbitraries.strings().ofMaxLength(4),
            Arbitraries.of(
                "${user.name}", " a ", "\u0000", "\uffff", "\ud83d\ude00", "\r\n", "<&>"));
    return Combinators.combine(
            names,
            Arbitraries.of(DType.class),
            Arbitraries.longs().between(0, 9).list().ofMaxSize(3))
        .as(
            (name, dtype, shape) ->
                new Column(name, dtype, dtype.bits() % 8 == 0 ? shape : List.of(4L)))
        .list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .uniqueElements(Column::name);
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
}
