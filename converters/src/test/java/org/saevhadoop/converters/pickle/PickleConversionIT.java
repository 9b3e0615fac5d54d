package org.saevhadoop.converters.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.mapreduce.io.HadoopStorage;

/** Every dataset of pickled shards of the corpus, converted, number by number. */
@RequiresCorpus
class PickleConversionIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;
  private List<String> temporaryBefore;

  static List<Arguments> cases() throws IOException {
    return PickleCorpusIT.goodCases();
  }

  @BeforeEach
  void lookAtTheTemporaryFolder() throws IOException {
    temporaryBefore = temporary();
  }

  @AfterEach
  void nothingIsLeftBesideTheDatasetNorInTheTemporaryFolder()
      throws IOException, InterruptedException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("_"));
    }
    // others may use that folder too: what they have there goes in a while
    List<String> more = new ArrayList<>(temporary());
    more.removeAll(temporaryBefore);
    for (int i = 0; i < 200 && !more.isEmpty(); i++) {
      Thread.sleep(100);
      more.retainAll(temporary());
    }
    assertThat(more).isEmpty();
  }

  static List<String> temporary() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/tmp"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("saev-hadoop-") || name.endsWith(".spool"))
          .toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void everyNumberAndAttributeOfADatasetArrives(Path name, Path source) throws IOException {
    PickledCase pickled = PickledCase.of(source);
    List<Object> options = new ArrayList<>();
    if (pickled.idsRepeat()) {
      assertRefused(source, List.of(), "");
      options.addAll(List.of("--sample-ids", "directory"));
    }
    if (!pickled.isComplete()) {
      assertRefused(source, options, "--incomplete drop");
      options.addAll(List.of("--incomplete", "drop"));
    }
    if (!pickled.isDataset()) {
      assertRefused(source, List.of("--ragged", "flatten"), source.toString());
      return;
    }
    if (pickled.lengths().size() > 1) {
      assertRefused(source, options, "--ragged flatten, truncate:N or pad:N");
      assertConverts(pickled, options, List.of("--ragged", "pad:" + pickled.lengths().lastKey()));
      options.addAll(List.of("--ragged", "flatten"));
    }
    assertConverts(pickled, options, List.of());
  }

  private void assertRefused(Path source, List<Object> options, String why) {
    convert(source, folder.resolve("refused"), options, "--to", "safetensors")
        .failsWithText(source.toString(), why);
    assertThat(folder.resolve("refused")).doesNotExist();
  }

  private void assertConverts(PickledCase pickled, List<Object> options, List<Object> ragged)
      throws IOException {
    List<Object> all = new ArrayList<>(options);
    all.addAll(ragged);
    Path tensors = folder.resolve("tensors" + ragged.size());
    Cli cli = convert(pickled.folder(), tensors, all, "--to", "safetensors");
    if (cli.exitCode() != 0 && pickled.mayFail()) {
      cli.failsWithText(pickled.folder().toString());
      assertThat(tensors).doesNotExist();
      return;
    }
    Path stored = cli.succeeds().lastLinePath();
    assertSamplesArrived(pickled, stored, options.contains("directory"));
    all.addAll(List.of("--family", "clip", "--ckpt", "c"));
    DType dtype = dataset(stored).geometry().dtype();
    if (dtype == DType.BOOL || dtype == DType.C64) {
      convert(pickled.folder(), folder.resolve("refused"), all, "--to", "saev")
          .failsWithText(pickled.folder().toString(), dtype.toString());
      return;
    }
    if (!DTypeConversion.isExact(dtype, DType.F32)) {
      convert(pickled.folder(), folder.resolve("refused"), all, "--to", "saev")
          .failsWithText("--dtype F32");
      all.addAll(List.of("--dtype", "float32"));
    }
    Path saev = folder.resolve("saev" + ragged.size());
    Cli second = convert(pickled.folder(), saev, all, "--to", "saev");
    assertThat(blocks(second.succeeds().lastLinePath(), DType.F32))
        .isEqualTo(blocks(stored, DType.F32));
    assertThat(Cli.run("cat", "--sample-metadata", second.lastLinePath()).succeeds().text())
        .isEqualTo(Cli.run("cat", "--sample-metadata", stored).succeeds().text());
  }

  private static Cli convert(Path source, Path to, List<Object> options, String... more) {
    return Cli.run("convert", source, to, options, more);
  }

  private static ActivationDataset dataset(Path path) throws IOException {
    Location location = new HadoopStorage(new Configuration()).locate(path.toString());
    return DatasetFormats.registry()
        .detect(location)
        .open(location, Settings.NONE, DatasetFormats.registry())
        .requireActivations();
  }

  /** Numbers of all blocks by example and layer, as another type. */
  private static List<String> blocks(Path path, DType as) throws IOException {
    ActivationDataset dataset = dataset(path);
    List<String> blocks = new ArrayList<>();
    DTypeConversion conversion = DTypeConversion.of(dataset.geometry().dtype(), as);
    try (BlockCursor cursor = cursor(dataset)) {
      while (cursor.next()) {
        ByteBuffer from = cursor.bytes();
        int numbers = from.remaining() / (dataset.geometry().dtype().bits() / 8);
        ByteBuffer to = ByteBuffer.allocate(numbers * as.bits() / 8).order(ByteOrder.LITTLE_ENDIAN);
        conversion.convert(from, to);
        blocks.add(HexFormat.of().formatHex(to.array()));
      }
    }
    return blocks;
  }

  private static BlockCursor cursor(ActivationDataset dataset) throws IOException {
    RecordSelection all =
        RecordSelection.blocks(BlockOrder.byExample(dataset.table()), Long.MAX_VALUE);
    return new BlockCursor(dataset, all, 0, dataset.geometry().examples());
  }

  private static void assertSamplesArrived(
      PickledCase pickled, Path converted, boolean idsPerDirectory) throws IOException {
    ActivationDataset dataset = dataset(converted);
    Map<String, PickledCase.Sample> expected = new HashMap<>();
    boolean flat = dataset.geometry().tokens() == 1;
    for (PickledCase.Sample sample : pickled.samples()) {
      boolean whole = pickled.isComplete() || pickled.hasAllLayers(sample);
      if (whole && (!flat || sample.tokens() > 0)) {
        expected.put(sample.layer() + "/" + sample.key(idsPerDirectory), sample);
      }
    }
    Map<Integer, ByteArrayOutputStream> numbers = new HashMap<>();
    List<String> directories =
        pickled.samples().stream().map(s -> s.directory()).distinct().toList();
    int directory = 0;
    long lastId = -1;
    try (SampleMetadataCursor sampleMetadata =
            dataset.sampleMetadata().orElseThrow().cursor(0, Long.MAX_VALUE);
        BlockCursor blocks = cursor(dataset)) {
      for (ExampleMetadata a = sampleMetadata.next(); a != null; a = sampleMetadata.next()) {
        if (a.position() <= 0) {
          numbers.clear();
        }
        for (long i = 0; i < a.count() * dataset.geometry().layers().size(); i++) {
          assertThat(blocks.next()).isTrue();
          byte[] bytes = InventedFiles.copy(blocks.bytes());
          int layer = dataset.geometry().layers().get(blocks.column());
          numbers.computeIfAbsent(layer, n -> new ByteArrayOutputStream()).writeBytes(bytes);
        }
        JsonNode said = JSON.readTree(a.sample());
        long id = id(said.has("layers") ? said.at("/layers/$dict/0/1") : said);
        directory += idsPerDirectory && id <= lastId ? 1 : 0;
        lastId = id;
        for (int layer : dataset.geometry().layers()) {
          String key = layer + "/" + (idsPerDirectory ? directories.get(directory) : "") + id;
          PickledCase.Sample sample = expected.remove(key);
          assertThat(sample).as(key).isNotNull();
          assertNumbers(sample, dataset.geometry().dtype(), numbers.get(layer).toByteArray());
          assertSampleMetadata(sample, said);
        }
      }
      assertThat(blocks.next()).isFalse();
    }
    assertThat(expected.keySet()).isEmpty();
  }

  private static long id(JsonNode sample) {
    JsonNode id =
        sample.has("$ordereddict") ? sample.at("/$ordereddict/0/1") : sample.get("sample_idx");
    return id.isObject() ? id.at("/$np/1").asLong() : id.asLong();
  }

  /** They begin with what was recorded; zeros may follow. */
  private static void assertNumbers(PickledCase.Sample sample, DType dtype, byte[] bytes) {
    assertThat(dtype.numpyName()).isEqualTo(sample.dtype());
    int length = (int) (sample.tokens() * sample.dim() * dtype.bits() / 8);
    ByteBuffer numbers = ByteBuffer.wrap(bytes, 0, length);
    assertThat(HexFormat.of().formatHex(Sha256.of(numbers))).isEqualTo(sample.sha256());
    for (int i = length; i < bytes.length; i++) {
      assertThat(bytes[i]).isZero();
    }
  }

  private static void assertSampleMetadata(PickledCase.Sample sample, JsonNode said) {
    JsonNode own = said;
    if (said.has("layers")) {
      for (JsonNode pair : said.at("/layers/$dict")) {
        own = pair.get(0).asInt() == sample.layer() ? pair.get(1) : own;
      }
    }
    List<String> keys = new ArrayList<>();
    (own.has("$ordereddict") ? own.get("$ordereddict") : JSON.createArrayNode())
        .forEach(pair -> keys.add(pair.get(0).asText()));
    own.fieldNames().forEachRemaining(keys::add);
    sample.said().get("keys").forEach(key -> assertThat(keys).contains(key.asText()));
    JsonNode text = sample.said().path("text_preview");
    if (own.path("text_preview").isTextual() && text.isTextual()) {
      assertThat(own.get("text_preview")).isEqualTo(text);
    }
    JsonNode metadata = sample.said().path("metadata");
    if (!metadata.toString().contains("$") && own.has("metadata")) {
      assertThat(own.get("metadata")).isEqualTo(metadata);
    }
    assertThat(own.at("/activation/dtype").asText("")).isIn(sample.dtype(), "");
  }

  @Test
  void halvesThatAreJoinedAreWhatWasMerged() throws IOException {
    Path halves = Corpus.part("pickle").resolve("real_np242_bf16_halves_and_merged");
    Path merged = folder.resolve("merged");
    Path joined = folder.resolve("joined");
    convert(halves.resolve("merged"), merged, List.of(), "--to", "safetensors").succeeds();
    convert(halves.resolve("src"), folder.resolve("refused"), List.of(), "--to", "safetensors")
        .failsWithText("--join-halves");
    List<Object> join = List.of("--join-halves");
    convert(halves.resolve("src"), joined, join, "--to", "safetensors").succeeds();
    assertThat(blocks(joined, DType.F32)).isEqualTo(blocks(merged, DType.F32));
    assertThat(Cli.run("cat", "--sample-metadata", joined).text())
        .isEqualTo(Cli.run("cat", "--sample-metadata", merged).text());
    convert(halves, folder.resolve("refused"), join, "--to", "safetensors")
        .failsWithKind("UNPAIRED_HALF", halves.resolve("merged/pair_00/shard_0001.pkl.gz"));
  }
}
