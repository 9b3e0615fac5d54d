package org.saevhadoop.mapreduce.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.combined.Combine;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.normalize.Normalization;
import org.saevhadoop.format.normalize.NormalizeBy;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.format.projection.IndexPieces;
import org.saevhadoop.format.projection.LayerRequest;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.projection.TokenRequest;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.RangePolicy;
import org.saevhadoop.format.tensor.RoundingPolicy;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.JobXml;
import org.saevhadoop.mapreduce.job.ConversionKeys.Carried;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class ConversionSpecTest {
  private static final SettingKey<String> READING =
      SettingKey.of("saev.input.test", SettingTypes.text("S", "any text"), null, "A reading key.");
  private static final SettingKey<List<String>> WRITING =
      SettingKey.of(
          "saev.output.test",
          SettingTypes.list(SettingTypes.text("S", "any")),
          null,
          "A writing key.");

  @Property(tries = 500, sample = 150)
  @Tag("sampled")
  void aConversionComesThroughTheFileInWhichAJobTravels(RandomValues any) throws IOException {
    InputSpec input = input(any);
    OutputSpec output = output(any);
    Configuration conf = new Configuration(false);
    // what the configuration asked for before does not count
    conf.set("saev.input.layers", "1,2");
    conf.set("saev.input.dtype", "stored");
    conf.set("saev.convert.source", "/elsewhere");
    conf.set("saev.convert.source.format", "none");
    conf.set("saev.convert.sample", "9:3:1");
    conf.set("saev.output.spool", "true");
    conf.set("saev.output.publish", "/elsewhere");
    input.toConf(conf);
    output.toConf(conf);
    Configuration task = JobXml.through(conf);
    InputSpec readInput = InputSpec.fromConf(task, List.of(READING));
    OutputSpec readOutput = OutputSpec.fromConf(task, List.of(WRITING));
    assertThat(readInput.source()).isEqualTo(input.source());
    assertThat(readInput.several()).isEqualTo(input.several());
    assertThat(readInput.projection()).isEqualTo(input.projection());
    assertThat(readInput.record()).isEqualTo(input.record());
    assertThat(readInput.dtypes()).isEqualTo(input.dtypes());
    assertThat(readInput.numbering()).isEqualTo(input.numbering());
    assertThat(readInput.format().toString()).isEqualTo(input.format().toString());
    assertThat(readOutput.carried()).isEqualTo(output.carried());
    assertThat(readOutput.format().toString()).isEqualTo(output.format().toString());
    assertThat(readOutput.geometry()).isEqualTo(output.geometry());
    assertThat(readOutput.provenance()).isEqualTo(output.provenance());
    assertThat(readOutput.publish()).isEqualTo(output.publish());
    assertThat(readOutput.settings().keys()).isEqualTo(output.settings().keys());
  }

  private static InputSpec input(RandomValues any) {
    return new InputSpec(
        any.orNull(() -> reference(any)),
        any.orNull(() -> several(any)),
        projection(any),
        record(any),
        number(any),
        any.of(Numbering.class),
        any.oneOf(() -> Settings.NONE.with(READING, text(any)), () -> Settings.NONE));
  }

  private static SourceReference reference(RandomValues any) {
    return new SourceReference(text(any), text(any), any.bool());
  }

  private static SeveralSources several(RandomValues any) {
    SeveralSources.Source source =
        new SeveralSources.Source(text(any), reference(any), Map.of(text(any), text(any)));
    return new SeveralSources(
        List.of(source, source), any.orNull(() -> any.of(Combine.class)), any.bool());
  }

  private static ProjectionRequest projection(RandomValues any) {
    return new ProjectionRequest(
        any.orNull(() -> LayerRequest.parse(any.of("10,12-14", "-2", "0"))),
        any.orNull(() -> IndexPieces.parse(any.of("7", "0:1000,5000:", ":3,-4:-1"))),
        any.of(ProjectionRequest.NO_LIMIT, 1L, Long.MAX_VALUE),
        TokenRequest.parse(any.of("cls", "content", "all", "0:64", "1,3:")));
  }

  private static RecordRequest record(RandomValues any) {
    RecordSelection.Unit unit = any.of(RecordSelection.Unit.class);
    return new RecordRequest(
        unit,
        any.bool() && unit != RecordSelection.Unit.EXAMPLE,
        any.of(List.of(), List.of(0), List.of(3, 0, 1)),
        any.longBetween(1, Long.MAX_VALUE),
        any.orNull(
            () -> new ExampleSample(any.longBetween(7, 1L << 60), any.of(1L, 7L), any.anyLong())));
  }

  private static DTypeRequest number(RandomValues any) {
    return new DTypeRequest(
        any.orNull(() -> any.of(DType.class)),
        any.bool(),
        any.map(3, () -> text(any), () -> any.of(DType.class)),
        any.of(RoundingPolicy.class),
        any.of(RangePolicy.class),
        any.orNull(
            () -> new Normalization(any.of(NormalizeBy.class), "0a", text(any) + ":9", null)));
  }

  private static OutputSpec output(RandomValues any) {
    return new OutputSpec(
        Settings.NONE.with(WRITING, any.list(1, 3, () -> text(any))),
        Set.copyOf(any.list(0, 4, () -> any.of(Carried.class))),
        any.oneOf(() -> shape(any), () -> Settings.NONE));
  }

  private static Settings shape(RandomValues any) {
    Geometry geometry =
        new Geometry(
            any.of(0L, 5L, 1L << 40),
            any.of(List.of(13), List.of(-2, 5)),
            10,
            16,
            any.of(DType.F32, DType.BF16));
    Provenance provenance =
        new Provenance(new TreeMap<>(any.map(3, () -> text(any), () -> text(any))));
    return OutputSpec.shape(geometry.table(), geometry, provenance)
        .with(OutputKeys.PUBLISH, text(any))
        .with(OutputKeys.REPLACE, true);
  }

  private static String text(RandomValues any) {
    return any.oneOf(
        () -> any.text(1, 5),
        () -> any.of("${user.name}", " a ", "a\r\nb", "\ud800", "\u0000", ";\\", "x=F32", "="));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9:3", "9:3:1:1", "3:9:1", "x"})
  void aMalformedSampleIsRefused(String text) {
    Configuration conf = new Configuration(false);
    conf.set("saev.convert.sample", text);
    assertThatThrownBy(() -> InputSpec.fromConf(conf, List.of()))
        .isInstanceOf(SettingException.class);
  }

  @Test
  void aSampleOfAnotherNumberOfExamplesIsRefused() {
    RecordRequest request =
        new RecordRequest(RecordSelection.Unit.BLOCK, false, List.of(), 1)
            .with(new ExampleSample(9, 3, 1));
    assertThat(request.selection(new Geometry(9, List.of(1), 2, 2).table()).sample())
        .isEqualTo(new ExampleSample(9, 3, 1));
    assertThatThrownBy(() -> request.selection(new Geometry(10, List.of(1), 2, 2).table()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEmptyConfigurationAsksForEverythingAsItIsStored() {
    InputSpec spec = InputSpec.fromConf(new Configuration(false), List.of());
    assertThat(spec.source()).isNull();
    assertThat(spec.projection()).isEqualTo(ProjectionRequest.EVERYTHING);
    assertThat(spec.projection().isEverything()).isTrue();
    assertThat(spec.record())
        .isEqualTo(new RecordRequest(RecordSelection.Unit.EXAMPLE, false, List.of(), 1));
    assertThat(spec.dtypes())
        .isEqualTo(
            new DTypeRequest(
                null, false, Map.of(), RoundingPolicy.NEAREST_EVEN, RangePolicy.ERROR));
    assertThat(spec.numbering()).isEqualTo(Numbering.SOURCE);
    OutputSpec output = OutputSpec.fromConf(new Configuration(false), List.of());
    assertThat(output.carried()).isEqualTo(Set.of());
    assertThat(output.settings().keys()).isEmpty();
    assertThat(output.provenance()).isEqualTo(Provenance.NONE);
    assertThat(output.publish()).isNull();
    assertThat(output.replace()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "saev.input.examples | 3:3 | saev.input.examples is \"3:3\": 3:3 selects nothing (expected"
            + " all, or indexes and ranges such as 7,0:1000,5000:)",
        "saev.input.examples | 0:5,4 | saev.input.examples is \"0:5,4\": 0:5 and 4 overlap"
            + " (expected all, or indexes and ranges such as 7,0:1000,5000:)",
        "saev.input.layers | 4,3-5 | saev.input.layers is \"4,3-5\": layer 4 is requested twice"
            + " (expected all, or layers and ranges of layers such as 10,12-14)",
        "saev.input.tokens | 5,3 | saev.input.tokens is \"5,3\": tokens do not ascend (expected cls,"
            + " special, image, content, all, or ascending ranges such as 0:64)",
        "saev.input.limit | 0 | saev.input.limit is 0 (expected at least 1, or -1 for all of them)",
        "saev.input.limit | -2 | saev.input.limit is -2 (expected at least 1, or -1 for all of"
            + " them)",
        "saev.input.limit | x | saev.input.limit is \"x\" (expected at least 1, or -1 for all of"
            + " them)",
        "saev.input.numbering | old | saev.input.numbering is \"old\" (expected source or"
            + " selection)",
        "saev.input.dtype | F33 | saev.input.dtype is \"F33\": there is no dtype \"F33\" (expected"
            + " F32, F16, BF16, F64, I8 to I64, U8 to U64, a name of numpy or torch such as float16"
            + " or torch.bfloat16, or stored)",
        "saev.input.dtype | F32;F16 | saev.input.dtype names two types for all columns, F32 and F16"
            + " (expected one)",
        "saev.input.dtype | a=F32;a=F16 | saev.input.dtype names two types for column a, F32 and F16"
            + " (expected one)",
        "saev.input.order | layer | saev.input.order is layer: records of whole examples cannot be"
            + " read layer by layer (expected saev.input.record=block or vector)"
      })
  void aWrongRequestIsRefusedUnderItsKey(String key, String value, String message) {
    Configuration conf = new Configuration(false);
    conf.set(key, value);
    assertThatThrownBy(() -> InputSpec.fromConf(conf, List.of()))
        .isInstanceOf(SettingException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "saev.output.replace | ture | is \"ture\" (expected true or false)",
        "saev.output.spool | maybe | is \"maybe\" (expected auto, true or false)",
        "saev.output.provenance | null | is \"null\": a document is null (expected an object",
        "saev.output.provenance | {\"a\": null} | a document is null (expected an object",
        "saev.output.provenance | [] | (expected an object of strings)",
        "saev.output.geometry | 1;2;3;4;F33 | : there is no dtype \"F33\" (expected examples;layer",
        "saev.convert.carried | LUGGAGE | is \"LUGGAGE\""
      })
  void aWrongOutputIsRefusedUnderItsKey(String key, String value, String message) {
    Configuration conf = new Configuration(false);
    conf.set(key, value);
    assertThatThrownBy(() -> OutputSpec.fromConf(conf, List.of()))
        .isInstanceOf(SettingException.class)
        .hasMessageStartingWith(key + " is ")
        .hasMessageContaining(message);
  }

  @Test
  void whatWasTypedIsNamedWhereTypesAreAskedForTwice() {
    Settings settings = Settings.NONE.withText(InputKeys.DTYPE, "a=F32;a=F16", "--dtype");
    assertThatThrownBy(() -> DTypeRequest.of(settings)).hasMessageStartingWith("--dtype names");
  }

  @Test
  void keysOfAnotherFormatAreNoneOfTheSpecs() {
    Configuration conf = new Configuration(false);
    ConfSettings.set(conf, READING, "x");
    assertThat(InputSpec.fromConf(conf, List.of()).format().keys()).isEmpty();
    assertThat(InputSpec.fromConf(conf, List.of(READING)).format().get(READING)).isEqualTo("x");
  }
}
