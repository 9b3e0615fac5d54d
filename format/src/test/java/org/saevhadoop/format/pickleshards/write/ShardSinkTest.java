package org.saevhadoop.format.pickleshards.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.ListedMetadata;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.gzip.BgzfOutput;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;
import org.saevhadoop.format.pickleshards.shard.OpenShard;
import org.saevhadoop.format.pickleshards.write.WrittenShards.Pickled;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;

class ShardSinkTest {
  private static final Geometry GEOMETRY = new Geometry(5, List.of(10, 12), 6, 4);
  private static final SampleOrigin ORIGIN = new SampleOrigin("/data/vit", "saev");
  private static final String TEXT =
      "{\"sample_idx\":%d,\"activation\":{\"dtype\":\"%s\",\"shape\":{\"$tuple\":[%s]}},"
          + "\"shape\":{\"$tuple\":[%s]},\"text_preview\":\"a \\\"b\\\"\",\"metadata\":{\"x\":[1,"
          + "2.5,null]}}";

  @TempDir Path folder;

  @Test
  void examplesWithoutSampleMetadataReportWhereTheyComeFrom() throws IOException {
    List<Pickled> samples = write(target(GEOMETRY, ShardForm.DEFAULT)).get(12);
    assertThat(samples).hasSize(5);
    assertThat(samples.get(3).text())
        .isEqualTo(
            "{\"sample_idx\":3,\"activation\":{\"dtype\":\"float32\",\"shape\":{\"$tuple\":[6,4]}},"
                + "\"shape\":{\"$tuple\":[6,4]},\"text_preview\":\"\",\"metadata\":{\"source\":"
                + "\"/data/vit\",\"source_format\":\"saev\",\"example\":3}}");
    assertThat(samples.get(3).data()).isEqualTo(bytes(GEOMETRY, 3, 1));
    ShardForm real = new ShardForm(Form.REAL, 4, null, true);
    assertThat(write(target(GEOMETRY, real)).get(12).get(3).text())
        .endsWith("\"shape\":{\"$tuple\":[6,4]},\"text_preview\":\"\"}");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 5})
  void sampleMetadataComeBackAsTheyWere(int protocol) throws IOException {
    String text = TEXT.formatted(77, "float32", "6,4", "6,4");
    ShardForm form = new ShardForm(Form.SPEC, protocol, BgzfOutput.Options.DEFAULT, true);
    Map<Integer, List<Pickled>> layers =
        write(target(GEOMETRY, form, new ExampleMetadata(2, text)));
    for (int layer : List.of(10, 12)) {
      assertThat(layers.get(layer)).extracting(Pickled::id).containsExactly(0L, 1L, 77L, 3L, 4L);
      assertThat(layers.get(layer).get(2).text()).isEqualTo(text);
    }
    assertThat(layers.get(12).get(2).data()).isEqualTo(bytes(GEOMETRY, 2, 1));
  }

  @Test
  void eachLayerHasItsOwnDictWhereTheyDiffer() throws IOException {
    String ten = TEXT.formatted(7, "float32", "6,4", "6,4");
    String twelve = ten.replace("a \\\"b\\\"", "other");
    String both = "{\"layers\":{\"$dict\":[[10,%s],[12,%s]]}}".formatted(ten, twelve);
    Map<Integer, List<Pickled>> layers =
        write(target(GEOMETRY, ShardForm.DEFAULT, new ExampleMetadata(0, both)));
    assertThat(layers.get(10).get(0).text()).isEqualTo(ten);
    assertThat(layers.get(12).get(0).text()).isEqualTo(twelve);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // as it was        | as it is written
        "6, 4               | 6, 4",
        "2, 3, 4            | 2, 3, 4",
        "1, 2, 1, 3, 4      | 1, 2, 1, 3, 4",
        // filled up
        "5, 4               | 5, 4",
        "4                  | 4",
        "2, 2, 4            | 2, 2, 4",
        "0, 4               | 0, 4",
        "3, 0, 4            | 3, 0, 4",
        // cut
        "7, 4               | 6, 4",
        "2, 4, 4            | 6, 4",
        "9000000000, 9000000000, 4 | 6, 4",
        // a half of the vectors, joined with the other one
        "6, 2               | 6, 4",
        "3, 2, 2            | 3, 2, 4",
        "2, 2               | 2, 4",
      })
  void anArrayHasItsShapeBackAsFarAsItsNumbersAreThere(String was, String is) throws IOException {
    String text = TEXT.formatted(77, "float32", was, was).replace(" ", "");
    Pickled sample =
        write(target(GEOMETRY, ShardForm.DEFAULT, new ExampleMetadata(4, text))).get(10).get(4);
    long[] shape = Arrays.stream(is.split(", *")).mapToLong(Long::parseLong).toArray();
    assertThat(sample.shape()).containsExactly(shape);
    assertThat(sample.text()).isEqualTo(TEXT.formatted(77, "float32", is, is).replace(" ", ""));
    long bytes = Arrays.stream(shape).reduce(Float.BYTES, (a, b) -> a * b);
    assertThat(sample.data()).isEqualTo(Arrays.copyOf(bytes(GEOMETRY, 4, 0), (int) bytes));
  }

  @ParameterizedTest
  @EnumSource(names = {"BF16", "F16"})
  void everyNumberOfTheOriginalTypeComesBackBitForBit(DType original) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(2 << 16).order(ByteOrder.LITTLE_ENDIAN);
    for (int bits = 0; bits < 1 << 16; bits++) {
      all.putShort((short) bits);
    }
    ByteBuffer stored = ByteBuffer.allocate(4 << 16);
    DTypeConversion.of(original, DType.F32).convert(all.flip(), stored);
    Geometry geometry = new Geometry(1, List.of(19), 1 << 10, 1 << 6);
    String text = TEXT.formatted(0, original.numpyName(), "1024,64", "1024,64");
    DatasetWrite target = target(geometry, ShardForm.DEFAULT, new ExampleMetadata(0, text));
    try (BlockSink sink = target.sinks().open(0, false, new LocalFolder(folder), folder)) {
      sink.write(0, 0, stored.flip());
    }
    Pickled sample = read(new LocalFolder(folder), target).get(19).get(0);
    assertThat(sample.dtype()).isEqualTo(original);
    assertThat(sample.data()).isEqualTo(all.array());
    assertThat(sample.text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"bfloat16, 1.00001f", "float16, 70000f", "uint16, 1.5f", "uint8, 256f", "bool, 1f"})
  void aNumberThatTheOriginalTypeDoesNotHoldIsAnError(String dtype, float number)
      throws IOException {
    Geometry geometry = new Geometry(1, List.of(19), 1, 1);
    ByteBuffer block = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(0, number);
    ExampleMetadata was = new ExampleMetadata(0, TEXT.formatted(7, dtype, "1,1", "1,1"));
    DatasetWrite target = target(geometry, ShardForm.DEFAULT, was);
    BlockSink sink = target.sinks().open(0, false, new LocalFolder(folder), folder);
    assertFails(
        ShardError.NOT_RESTORABLE, "shard_0001.pkl.gz", () -> sink.write(0, 0, block.duplicate()));
    assertFails(DatasetError.INCOMPLETE, "shard_0001.pkl.gz", sink::close);
  }

  @Test
  void numbersThatWereAskedForStayWhatTheyAre() throws IOException {
    ExampleMetadata was = new ExampleMetadata(0, TEXT.formatted(7, "bfloat16", "6,4", "6,4"));
    for (DType asked : List.of(DType.F32, DType.F16, DType.U16, DType.F64)) {
      ShardForm form = new ShardForm(Form.SPEC, 4, null, false);
      Geometry geometry = GEOMETRY.as(asked);
      for (Pickled sample : write(target(geometry, form, was)).get(10)) {
        assertThat(sample.dtype()).isEqualTo(asked);
      }
    }
  }

  @Test
  void withoutSampleMetadataNumbersAreWidenedWhereThatIsExact() throws IOException {
    assertThat(write(target(GEOMETRY.as(DType.BF16), ShardForm.DEFAULT)).get(10).get(0).dtype())
        .isEqualTo(DType.F32);
    assertThat(write(target(GEOMETRY.as(DType.F64), ShardForm.DEFAULT)).get(10).get(0).dtype())
        .isEqualTo(DType.F64);
  }

  @Test
  void tokensThatAreExamplesNameTheirSampleAndTheirPosition() throws IOException {
    Geometry tokens = new Geometry(5, List.of(10, 12), 1, 4);
    String text = TEXT.formatted(77, "bfloat16", "9,4", "9,4");
    ShardForm form = new ShardForm(Form.SPEC, 4, null, false);
    DatasetWrite target = target(tokens, form, new ExampleMetadata(1, 3, 5, text));
    List<Pickled> samples = write(target).get(12);
    assertThat(samples).extracting(Pickled::id).containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThat(samples.get(2).text())
        .isEqualTo(
            "{\"sample_idx\":2,\"activation\":{\"dtype\":\"float32\",\"shape\":{\"$tuple\":[1,4]}},"
                + "\"shape\":{\"$tuple\":[1,4]},\"text_preview\":\"a \\\"b\\\"\",\"metadata\":"
                + "{\"sample_idx\":77,\"position\":6}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"caption\":\"a dog\"}",
        "{\"activation\":\"relu\",\"shape\":1}",
        "{\"activation\":{\"dtype\":\"float8_e4m3\",\"shape\":[6,4]}}"
      })
  void sampleMetadataOfAnotherKindBecomeTheMetadata(String text) throws IOException {
    DatasetWrite target = target(GEOMETRY, ShardForm.DEFAULT, new ExampleMetadata(1, text));
    assertThat(write(target).get(10).get(1).text())
        .isEqualTo(
            "{\"sample_idx\":1,\"activation\":{\"dtype\":\"float32\",\"shape\":{\"$tuple\":[6,4]}},"
                + "\"shape\":{\"$tuple\":[6,4]},\"text_preview\":\"\",\"metadata\":"
                + text
                + "}");
  }

  @Test
  void sampleMetadataThatAreNoPythonValuesAreAnErrorThatNamesTheExample() throws IOException {
    for (String text : List.of("{\"a\":1,\"a\":2}", "{\"$tuple\":[]}", "{\"$no\":1}")) {
      DatasetWrite target = target(GEOMETRY, ShardForm.DEFAULT, new ExampleMetadata(0, text));
      LocalFolder out =
          new LocalFolder(Files.createDirectories(folder.resolve("at" + text.hashCode())));
      BlockSink sink = target.sinks().open(0, false, out, folder);
      assertFails(
          PickleError.BAD_METADATA,
          "shard_0001.pkl.gz: sample metadata of example 0",
          () -> sink.write(0, 0, ByteBuffer.wrap(bytes(GEOMETRY, 0, 0))));
      assertFails(DatasetError.INCOMPLETE, "shard_0001.pkl.gz", sink::close);
    }
  }

  @Test
  void blocksInAnyOrderGiveTheSameFile() throws IOException {
    DatasetWrite target =
        target(
            GEOMETRY,
            ShardForm.DEFAULT,
            new ExampleMetadata(1, TEXT.formatted(9, "float32", "5,4", "5,4")));
    write(target);
    LocalFolder spooled = new LocalFolder(Files.createDirectories(folder.resolve("spooled")));
    try (BlockSink sink = target.sinks().open(0, true, spooled, folder)) {
      for (long example : new long[] {3, 0, 4, 1, 2}) {
        for (int layer : new int[] {1, 0}) {
          sink.write(example, layer, ByteBuffer.wrap(bytes(GEOMETRY, example, layer)));
        }
      }
    }
    for (String name : List.of("shard_0001.pkl.gz", "shard_0001.pkl.gz.facts")) {
      assertThat(folder.resolve("spooled").resolve(name))
          .hasSameBinaryContentAs(folder.resolve("out0").resolve(name));
    }
  }

  @Test
  void aBlockOutOfOrderIsAnErrorAndAFileThatIsNotWholeHasNoFacts() throws IOException {
    DatasetWrite target = target(GEOMETRY, ShardForm.DEFAULT);
    BlockSink sink = target.sinks().open(0, false, new LocalFolder(folder), folder);
    sink.write(0, 0, ByteBuffer.wrap(bytes(GEOMETRY, 0, 0)));
    assertFails(
        DatasetError.BLOCK_OUT_OF_ORDER,
        "shard_0001.pkl.gz",
        () -> sink.write(0, 1, ByteBuffer.wrap(bytes(GEOMETRY, 0, 1))));
    assertFails(DatasetError.INCOMPLETE, "shard_0001.pkl.gz", sink::close);
    assertThat(folder.toFile().list()).containsExactly("shard_0001.pkl.gz");
  }

  @ParameterizedTest
  @CsvSource({", false", "0, false", "9, true", ", true", "none, false"})
  void theFactsAreThoseOfTheFile(String level, boolean single) throws Exception {
    BgzfOutput.Options gzip =
        "none".equals(level)
            ? null
            : new BgzfOutput.Options(level == null ? null : Integer.valueOf(level), single, 2);
    Geometry geometry = new Geometry(3, List.of(10, 12), 600, 40);
    DatasetWrite target =
        target(
            geometry,
            new ShardForm(Form.SPEC, 4, gzip, true),
            new ExampleMetadata(0, TEXT.formatted(2000, "float32", "600,40", "600,40")),
            new ExampleMetadata(1, TEXT.formatted(800, "float32", "500,40", "500,40")));
    Map<Integer, List<Pickled>> layers = write(target);
    assertThat(layers.get(12).get(2).data()).isEqualTo(bytes(geometry, 2, 1));
    LocalFolder out = new LocalFolder(folder.resolve("out0"));
    String name = target.plan().shardName(0);
    byte[] file = Files.readAllBytes(folder.resolve("out0").resolve(name));
    ShardFacts facts = ShardFacts.parse("", out.readSmall(name + ".facts", 1 << 20));
    assertThat(facts.bytes()).isEqualTo(file.length);
    assertThat(facts.sha256())
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file)));
    try (Input in = out.open(name);
        LocalSpool spool = LocalSpool.temporary(folder)) {
      assertThat(
              OpenShard.read(in, spool, PickleLimits.DEFAULT)
                  .facts(name, file.length, facts.sha256()))
          .isEqualTo(facts);
    }
  }

  private static DatasetWrite target(
      Geometry geometry, ShardForm form, ExampleMetadata... sampleMetadata) {
    return new PickleWritePlan(geometry, 1 << 30, form, "/out")
        .write(ListedMetadata.of(sampleMetadata), ORIGIN, WrittenShards.UNKNOWN);
  }

  /** Writes the shard, of numbers that any type holds, and reads it. */
  private Map<Integer, List<Pickled>> write(DatasetWrite target) throws IOException {
    int number = 0;
    while (Files.exists(folder.resolve("out" + number))) {
      number++;
    }
    LocalFolder out = new LocalFolder(Files.createDirectories(folder.resolve("out" + number)));
    Geometry geometry = ((PickleWritePlan) target.plan()).geometry();
    try (BlockSink sink = target.sinks().open(0, false, out, folder)) {
      for (int layer = 0; layer < geometry.layers().size(); layer++) {
        for (long example = 0; example < geometry.examples(); example++) {
          sink.write(example, layer, ByteBuffer.wrap(bytes(geometry, example, layer)));
        }
      }
    }
    return read(out, target);
  }

  private Map<Integer, List<Pickled>> read(LocalFolder from, DatasetWrite target)
      throws IOException {
    return WrittenShards.read(from, target.plan().shardName(0), folder).stream()
        .collect(Collectors.groupingBy(Pickled::layer));
  }

  /** Small whole numbers: all types hold them. */
  private static byte[] bytes(Geometry geometry, long example, int layerIndex) {
    Random random = new Random(example * 31 + layerIndex);
    int numbers = geometry.tokens() * geometry.dim();
    ByteBuffer floats = ByteBuffer.allocate(numbers * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < numbers; i++) {
      floats.putFloat(random.nextInt(256));
    }
    ByteBuffer block = ByteBuffer.allocate((int) geometry.blockBytes());
    DTypeConversion.of(DType.F32, geometry.dtype()).convert(floats.flip(), block);
    return block.array();
  }
}
