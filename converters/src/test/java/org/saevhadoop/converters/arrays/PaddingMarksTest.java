package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.padding.TokenPadding;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.HadoopStorage;

/** Padding that conversions mark, in all formats. */
@Tag("late")
class PaddingMarksTest extends ConvertedDatasets {
  private static final List<Integer> LENGTHS = List.of(3, 2, 4);

  /** Returns files of {@code LENGTHS} tokens, with an id for each token. */
  private Path requests() throws IOException {
    Path requests = Files.createDirectory(folder.resolve("requests"));
    for (int i = 0; i < LENGTHS.size(); i++) {
      long tokens = LENGTHS.get(i);
      ByteBuffer ids = ByteBuffer.allocate((int) tokens * Long.BYTES);
      LongStream.range(0, tokens).forEach(ids.order(ByteOrder.LITTLE_ENDIAN)::putLong);
      byte[] vectors = OwnArrays.bytes(new float[(int) tokens * 4]);
      NaiveTensors.write(
          requests.resolve("hs_" + i + ".safetensors"),
          Map.of(
              "hidden_states", Found.of("F32", List.of(tokens, 2L, 2L), vectors),
              "token_ids", Found.of("I64", List.of(tokens), ids.array())));
    }
    return requests;
  }

  private static String padding(Path path) throws IOException {
    Location location = new HadoopStorage(new Configuration()).locate(path.toString());
    ActivationDataset dataset =
        DatasetFormats.registry()
            .detect(location)
            .format()
            .open(location, Settings.NONE, DatasetFormats.registry())
            .requireActivations();
    try (TokenPadding padding = TokenPadding.of(dataset)) {
      return padding.read(0, (int) dataset.geometry().examples()).toString();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"saev --family f --ckpt c", "safetensors", "safetensors --kv", "samediff", "npy"})
  void integersMarkThePaddingOfExamples(String format) throws IOException {
    Object[] layout = {"--tensor", "hidden_states=token,layer,dim", "--ragged", "pad:5"};
    Path source = requests();
    Path padded = convert(source, "padded", format, layout);
    assertThat(padding(padded)).isEqualTo("{3, 4, 7, 8, 9, 14}");
    assertThat(padding(convert(padded, "part", format, "--tokens", "2:4", "--examples", "1:")))
        .isEqualTo("{0, 1}");
    Object[] selected = {"--tensor", layout[1], "--ragged", "pad:5", "--tokens", "2:4"};
    assertThat(padding(convert(source, "selected", format, selected))).isEqualTo("{1, 2, 3}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"saev --family f --ckpt c", "safetensors", "samediff", "npy"})
  void shapesOfPickledSamplesMarkThePaddingOfExamples(String format) throws IOException {
    Path source = Fixtures.pickle("ragged");
    Path padded = convert(source, "padded", format, "--ragged", "pad:9");
    String expected = padding(padded);
    assertThat(expected).isNotEqualTo("{}");
    assertThat(padding(convert(padded, "again", format))).isEqualTo(expected);
    assertThat(padding(convert(source, "flat", format, "--ragged", "flatten"))).isEqualTo("{}");
    assertThat(padding(convert(padded, "first", format, "--tokens", "8")))
        .isEqualTo(padding(convert(source, "last", format, "--ragged", "pad:9", "--tokens", "8")));
  }
}
