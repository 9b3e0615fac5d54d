package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;

/**
 * Each wrong setting, as an option and as a key: exit code 2, one line that names what was typed,
 * nothing written, whether or not it has an effect with the formats at hand.
 */
@Tag("late")
class WrongSettingsTest {
  private static final Path SRC = Fixtures.small();

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      value = {
        "saev|--tokens-per-shard|saev.output.tokens.per.shard|0",
        "saev|--tokens-per-shard|saev.output.tokens.per.shard|many",
        "saev|--protocol|saev.output.protocol|3.0",
        "saev|--family|saev.output.family|''",
        "saev|--data|saev.output.data|''",
        "saev|--tail|saev.output.tail|half",
        "safetensors|--tail|saev.output.batch.tail|half",
        "safetensors|--batch-size|saev.output.batch.size|''",
        "safetensors|--batch-size|saev.output.batch.size|0",
        "safetensors|--batch-size|saev.output.batch.size|1e3",
        "safetensors|--batch-size|saev.output.batch.size|9223372036854775808",
        "safetensors|--columns|saev.output.columns|both",
        "safetensors|--align|saev.output.alignment|12",
        "safetensors|--align|saev.output.alignment|2097152",
        "safetensors|--target-shard-mb|saev.output.shard.mb|49",
        "safetensors|--target-shard-mb|saev.output.shard.mb|1001",
        "safetensors|--kv-separator|saev.output.separator|''",
        "pickle|--dialect|saev.output.pickle.dialect|python",
        "pickle|--pickle-protocol|saev.output.pickle.protocol|3",
        "pickle|--shard-mb|saev.output.pickle.shard.mb|9",
        "pickle|--shard-mb|saev.output.pickle.shard.mb|2001",
        "pickle|--compression-level|saev.output.pickle.level|10",
        "saev|--layers|saev.input.layers|''",
        "saev|--layers|saev.input.layers|14-12",
        "saev|--layers|saev.input.layers|13,13",
        "saev|--layers|saev.input.layers|last",
        "safetensors|--examples|saev.input.examples|5:5",
        "safetensors|--examples|saev.input.examples|0:3,2:4",
        "safetensors|--examples|saev.input.examples|0:6:2",
        "safetensors|--examples|saev.input.examples|1,",
        "pickle|--limit|saev.input.limit|0",
        "pickle|--limit|saev.input.limit|-2",
        "pickle|--limit|saev.input.limit|''",
        "saev|--tokens|saev.input.tokens|none",
        "saev|--tokens|saev.input.tokens|3,1",
        "safetensors|--dtype|saev.input.dtype|F12",
        "safetensors|--dtype|saev.input.dtype|layer_13=",
        "safetensors|--rounding|saev.input.rounding|up",
        "safetensors|--range|saev.input.range|clip",
        "saev|--ragged|saev.input.ragged|pad",
        "saev|--sample-ids|saev.input.sample.ids|host",
        "saev|--incomplete|saev.input.incomplete|keep",
        "saev|--tensor|saev.input.tensors|x=token",
        "saev|--from-layout|saev.input.layout|rows",
        "saev|--from-separator|saev.input.separator|''",
        "saev|--duplicates|saev.input.duplicates|first-win"
      })
  void aValueThatIsNoneIsRefusedAsOptionAndAsKey(
      String format, String option, String key, String value) throws IOException {
    refused(option, convert(format, option + "=" + value));
    refused(option, convert(otherThan(format), option, value));
    refused(key, convert(format, "-D", key + "=" + value));
    refused(key, convert(otherThan(format), "-D" + key + "=" + value));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "safetensors --kv; --kv-separator=; --kv-separator is empty",
        "safetensors --kv; --kv-separator=a\u0001b; (expected at least one character, and no control",
        "safetensors --kv; --from-separator=; --from-separator is empty",
        "safetensors --kv; --from-separator=a\uffff; (expected at least one character, and no control",
        "safetensors --kv; --batch-size=3; --batch-size and --kv exclude each other",
        "safetensors --kv; --tail=pad; --tail drop or pad and --kv exclude each other",
        "safetensors --kv; --target-shard-mb=49; --target-shard-mb is 49 (expected 50 to 1000)",
        "safetensors --kv; --target-shard-mb=1001; --target-shard-mb is 1001 (expected 50 to 1000)",
        "safetensors --kv; --align=12; --align is 12 (expected a power of two",
        "safetensors --kv; --align=4; --align is 4 (expected a power of two",
        "safetensors; --tail=drop; --tail drop or pad needs --batch-size",
        "safetensors; --tail=pad; --tail drop or pad needs --batch-size",
        "safetensors; --tail=full; --tail is \"full\" (expected write, drop or pad)",
        "safetensors; --dtype=F17; there is no dtype \"F17\"",
        "safetensors; --dtype=layer_13=stored; there is no dtype \"stored\"",
        "safetensors; --rounding=up; --rounding is \"up\" (expected nearest-even or truncate)",
        "safetensors; --range=clip; --range is \"clip\" (expected error, saturate or wrap)",
        "safetensors; --tensor=x=token; --tensor is \"x=token\" (expected NAME=AXES,",
        "safetensors; -Dsaev.convert.plan=nonsense; \"nonsense\" (expected auto, map-only or shuffle)",
        "saev; --dtype=F16; --dtype is F16, which saev cannot hold (expected [F32])",
        "saev; --dtype=layer_13=F16; --dtype is F16, which saev cannot hold",
        "saev; --dtype=layer_13=I32; --dtype",
        "saev; -Dsaev.input.dtype=F16; saev.input.dtype"
      })
  void theProblemIsNamedWithWhatIsExpected(String format, String option, String problem)
      throws IOException {
    refused(problem, convert(format, option));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "saev.output.replace=ture",
        "saev.output.replace=",
        "saev.output.cls=1",
        "saev.input.lenient=yes",
        "saev.input.join.halves=on",
        "saev.convert.sample.metadata=maybe",
        "saev.convert.plan=nonsense",
        "saev.convert.reducers=-1",
        "saev.output.index=never",
        "saev.output.layout=rows",
        "saev.output.header.bytes=0",
        "saev.output.spool=perhaps",
        "saev.output.pickle.container=zip",
        "saev.output.pickle.created=yesterday",
        "saev.output.pickle.config=[1]",
        "saev.output.metadata={",
        "saev.output.geometry=7;13;10",
        "saev.input.numbering=none"
      })
  void aKeyWithoutAnOptionOfItsOwnIsCheckedToo(String setting) throws IOException {
    String key = setting.substring(0, setting.indexOf('='));
    refused(key, convert("safetensors", "-D", setting));
    refused(key, Cli.run("digest", SRC, "-D", setting));
  }

  @Test
  void anOptionTwiceWithOneValueIsNoMistake() {
    convert("safetensors", "--batch-size=3", "--batch-size=3").succeeds();
  }

  @ParameterizedTest
  @CsvSource({
    "safetensors, --batch-size=3 --batch-size=4, --batch-size, 'is given twice, as '",
    "safetensors, --limit 3 --limit 4, --limit, 'is given twice, as '",
    "safetensors, --layers 13 --layers 21, --layers, 'is given twice, as '",
    "safetensors, --protocol 2.1 --protocol 2.0, --protocol, 'is given twice, as '",
    "safetensors, --ragged flatten --ragged error, --ragged, 'is given twice, as '",
    "safetensors, --dtype layer_13=F16 --dtype layer_13=F64, --dtype, names two types for",
    "safetensors, --dtype layer_13=F16 --dtype layer_13=F16, --dtype, names two types for",
    "safetensors, --dtype F16 --dtype F64, --dtype, names two types for",
    "safetensors, -Dsaev.input.dtype=x=F16;x=F64, saev.input.dtype, names two types for",
    "safetensors, --index --no-index, --index, --no-index",
    "pickle, --uncompressed --single-member, --uncompressed, --single-member",
    "pickle, --uncompressed --compression-level=1, --uncompressed, --compression-level",
    "saev, --index --no-index, --index, --no-index",
    "saev, --uncompressed --single-member, --uncompressed, --single-member"
  })
  void settingsThatContradictEachOtherAreNamed(
      String format, String settings, String typed, String problem) throws IOException {
    Cli cli = refused(typed, convert(format, (Object[]) settings.split(" ")));
    assertThat(cli.stderr()).contains(problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"record=block", "record=example", "order=example", "order=layer", "group=1"})
  void whatConvertDecidesItselfIsRefused(String setting) throws IOException {
    String key = "saev.input." + setting.split("=")[0];
    refused(key, convert("safetensors", "-D", "saev.input." + setting));
  }

  @ParameterizedTest
  @CsvSource({
    "digest, --layers=x, --layers",
    "list, --examples=3:3, --examples",
    "cat --example 0, --tokens=none, --tokens",
    "bench, --limit=0, --limit",
    "bench, --threads=0, --threads",
    "bench-keys --key k, --from-layout=rows, --from-layout",
    "inspect, --ragged=pad, --ragged",
    "verify --structure, --from-separator=, --from-separator"
  })
  void otherCommandsRefuseThemToo(String command, String option, String typed) throws IOException {
    refused(typed, Cli.run(command.split(" "), SRC, option));
  }

  @ParameterizedTest
  @CsvSource({
    "saev, --shard-mb=20, --shard-mb has no effect with --to saev",
    "saev, --batch-size=2, --batch-size has no effect with --to saev",
    "pickle, --kv, --kv has no effect with --to pickle",
    "safetensors, --dialect=real, --dialect has no effect with --to safetensors",
    "safetensors, --ragged=flatten, --ragged has no effect with a source of format saev",
    "pickle, --from-layout=kv, --from-layout has no effect with a source of format saev"
  })
  void anOptionWithoutEffectIsAWarning(String format, String option, String warning) {
    Cli cli = convert(format, option).succeeds();
    assertThat(cli.stderr().lines()).containsOnlyOnce("warning: " + warning);
  }

  @Test
  void commandsThatOnlyReadWarnOfReadingOptions() {
    for (String command : List.of("digest", "list", "inspect")) {
      assertThat(Cli.run(command, SRC, "--join-halves").succeeds().stderr())
          .contains("warning: --join-halves has no effect with a source of format saev");
    }
  }

  @Test
  void digestsOfTensorsAreRefusedForPickledShardsBeforeOneIsRead() throws IOException {
    Path shard = Files.writeString(folder.resolve("shard_0001.pkl"), "not a pickle");
    for (Path source : List.of(folder, shard)) {
      assertThat(Cli.run("inspect", source, "--digests").failsAsUsage().stderr())
          .isEqualTo(
              "--digests is for files and models (list --digests for a dataset)"
                  + " (see saev-hadoop inspect --help)\n");
    }
  }

  @Test
  void anUnknownKeyIsAWarningThatNamesTheNearest() {
    Cli cli = convert("safetensors", "-D", "saev.output.batchsize=3").succeeds();
    assertThat(cli.stderr().lines())
        .containsOnlyOnce(
            "warning: saev.output.batchsize is not a known key (did you mean"
                + " saev.output.batch.size?)");
    assertThat(Cli.run("list", SRC, "-Dsaev.input.layer=13").succeeds().stderr())
        .contains("saev.input.layer is not a known key (did you mean saev.input.layers?)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"inspect", "list", "cat", "digest", "bench", "bench-keys --key k"})
  void aCommandDoesNotOfferAnOptionThatOnlyAConversionUses(String command) throws IOException {
    refused("--duplicates", Cli.run(command.split(" "), SRC, "--duplicates=last-win"));
    assertThat(Cli.run(command.split(" ")[0], "--help-all").succeeds().text())
        .doesNotContain("--duplicates");
  }

  @Test
  void aConversionOffersTheOptionForRepeatedIds() {
    assertThat(Cli.run("convert", "--help-all").succeeds().text()).contains("--duplicates");
  }

  private Cli convert(String format, Object... settings) {
    return Cli.convert(SRC, folder.resolve("out"), format, settings);
  }

  private static String otherThan(String format) {
    return switch (format) {
      case "saev" -> "safetensors";
      case "safetensors" -> "pickle";
      default -> "saev";
    };
  }

  private Cli refused(String typed, Cli cli) throws IOException {
    assertThat(cli.failsAsUsage(typed, "--help)").stderr().lines()).as(cli.stderr()).hasSize(1);
    assertThat(cli.text()).isEmpty();
    assertThat(ConvertTest.files(folder)).isEmpty();
    return cli;
  }
}
