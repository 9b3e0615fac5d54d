package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.jobs.check.VerifyError;
import org.saevhadoop.mapreduce.FaultyFileSystem;

/** What {@code convert --verify} accepts, with the options that change what is written. */
@Tag("late")
class ConvertVerifyTest {
  @TempDir Path folder;
  private Path source;

  @BeforeEach
  void writeASource() throws IOException {
    source =
        new NaiveActivations(7, List.of(3, 9), 4, 5, true, true)
            .writeSaev(folder.resolve("source"));
  }

  private static Cli convert(Configuration conf, Object from, Object to, String options) {
    return Cli.run(conf, "convert", from, to, "--verify", options.split(" "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--to saev --layers 9,3 --examples 5,0:3 --tokens image",
        "--to saev -Dsaev.convert.plan=shuffle",
        "--to saev -Dmapreduce.input.fileinputformat.split.maxsize=200",
        "--to saev --no-sample-metadata",
        "--to safetensors",
        "--to safetensors --kv",
        "--to safetensors --batch-size 1 --index",
        "--to safetensors --batch-size 3 --tail drop",
        "--to safetensors --batch-size 3 --tail pad --columns acts",
        "--to safetensors --batch-size 2 --tokens cls --limit 3",
        "--to safetensors --dtype F16 -Dmapreduce.fileoutputcommitter.marksuccessfuljobs=true",
        "--to safetensors --dtype I8 --range saturate --rounding truncate",
        "--to safetensors --kv --examples 6,2 -Dsaev.convert.plan=shuffle",
        "--to pickle --examples 1: --layers 9",
        "--to pickle --single-member --compression-level 1 --pickle-protocol 5",
        "--to pickle --dialect real --dtype BF16",
        "--to samediff --max-shard-bytes 300 --examples 6,2:5 -Dsaev.convert.plan=shuffle",
        "--to samediff --container sdz --max-shard-bytes 200 --layers 9,3 --dtype F64",
        "--to samediff --container sdz --deflate --creation-time 2026-01-31T12:00:00Z"
      })
  void whatWasWrittenIsWhatTheSourceGives(String options) throws IOException {
    Cli cli = convert(new Configuration(), source, folder.resolve("out"), options).succeeds();
    assertThat(cli.stderr()).contains("convert: verified");
    Cli.run("verify", "--structure", cli.lastLinePath()).findsNoProblem();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--to saev --ragged pad:9:-1.5 --family f --ckpt c",
        "--to safetensors --ragged truncate:2",
        "--to safetensors --ragged flatten --batch-size 5 --tail drop",
        "--to pickle --ragged pad:200"
      })
  void shardsOfRaggedSamplesAreReadInTheSameWay(String options) {
    Path ragged = Fixtures.pickle("ragged");
    convert(new Configuration(), ragged, folder.resolve("out"), options).succeeds();
  }

  @Test
  void aKeyThatOccursTwiceIsReadInTheSameWay() throws IOException {
    Path twice = folder.resolve("twice");
    for (int file = 0; file < 2; file++) {
      Map<String, Found> tensors = new LinkedHashMap<>();
      tensors.put("a__x", Found.of("U8", List.of(2L), (byte) file, (byte) 7));
      tensors.put("only" + file + "__x", Found.of("U8", List.of(2L), (byte) 1, (byte) 2));
      NaiveTensors.write(twice.resolve(file + ".safetensors"), tensors);
    }
    Path out = folder.resolve("out");
    String options = "--to safetensors --kv --duplicates ";
    assertThat(convert(new Configuration(), twice, out, options + "fail").exitCode()).isEqualTo(1);
    convert(new Configuration(), twice, out, options + "last-win").succeeds();
    assertThat(NaiveTensors.keys(out).get("a__x").bytes()).containsExactly(1, 7);
  }

  @Test
  void aDatasetWithoutExamplesIsComparedToo() throws IOException {
    Path empty =
        new NaiveActivations(0, List.of(3, 9), 4, 5, true, false)
            .writeSaev(folder.resolve("empty"));
    String options = "--to pickle -Dsaev.output.pickle.created=2026-01-31T12:00:00Z";
    Path out = folder.resolve("out");
    convert(new Configuration(), empty, out, options).succeeds();
    for (String name : ConvertTest.files(out)) {
      Path place = folder.resolve(name);
      Configuration conf =
          FaultyFileSystem.flipping(name, Files.size(out.resolve(name)) * 8 - 13, false);
      convert(conf, empty, FaultyFileSystem.uri(place), options)
          .failsWith(VerifyError.DIFFERENT, name);
    }
  }

  @Test
  void errorsOfTheConversionAreReportedAsWithoutVerification() {
    convert(new Configuration(), source, folder.resolve("out"), "--to safetensors --dtype I8")
        .failsWithKind(DatasetError.NOT_CONVERTIBLE.name(), source);
  }
}
