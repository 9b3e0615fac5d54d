package org.saevhadoop.format.saev.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.saev.metadata.HostileMetadata;
import org.saevhadoop.format.saev.metadata.MetadataField;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration;
import org.saevhadoop.format.saev.metadata.SaevMetadata;

/** Every dataset of the corpus, whatever its generation, as its own writer left it. */
@RequiresCorpus
class SaevCorpusTest {
  /** What the corpus calls the generations that it may have. */
  private static final Map<String, ProtocolGeneration> GENERATIONS =
      Map.ofEntries(
          Map.entry("v1", ProtocolGeneration.LEGACY),
          Map.entry("v1sep", ProtocolGeneration.V1_SEEDLESS),
          Map.entry("v1shards", ProtocolGeneration.V1_SEEDLESS),
          Map.entry("v100pre", ProtocolGeneration.V1_0),
          Map.entry("v100", ProtocolGeneration.V1_0),
          Map.entry("v11a", ProtocolGeneration.V1_1),
          Map.entry("v11", ProtocolGeneration.V1_1),
          Map.entry("v11ren", ProtocolGeneration.V2_0_EX),
          Map.entry("v20pre", ProtocolGeneration.V2_0_EX),
          Map.entry("v20a", ProtocolGeneration.V2_0_EX),
          Map.entry("v20", ProtocolGeneration.V2_0),
          Map.entry("v20orjson", ProtocolGeneration.V2_0),
          Map.entry("v21", ProtocolGeneration.V2_1),
          Map.entry("v21special", ProtocolGeneration.V2_1));

  /** The forms that we write ourselves. */
  private static final Set<String> WRITTEN = Set.of("v1", "v100", "v11", "v20", "v21");

  /** A case, shown by its generation and name. */
  record Case(Path folder, Map<?, ?> expected) {
    Path directory() {
      return folder.resolve((String) expected.get("dataset_dir"));
    }

    String group() {
      return folder.getParent().getFileName().toString();
    }

    long derived(String key) {
      return number((Map<?, ?>) expected.get("derived"), key);
    }

    SaevDataset open() throws IOException {
      return SaevDataset.open(new LocalFolder(directory()));
    }

    @Override
    public String toString() {
      return group() + "/" + folder.getFileName();
    }
  }

  static List<Case> cases() throws IOException {
    try (Stream<Path> paths = Files.walk(Corpus.part("saev"), 3)) {
      List<Case> cases =
          paths
              .filter(path -> path.endsWith("expected.json"))
              .sorted()
              .map(path -> new Case(path.getParent(), (Map<?, ?>) parse(path)))
              .toList();
      assertThat(cases).isNotEmpty();
      return cases;
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whatTheWriterLeftHasNoProblems(Case item) throws IOException {
    assertThat(SaevCheck.of(new LocalFolder(item.directory())).problems()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theGenerationTheHashAndTheShapeAreThoseOfTheWriter(Case item) throws Exception {
    SaevDataset dataset = item.open();
    SaevMetadata metadata = dataset.metadata();
    if (GENERATIONS.containsKey(item.group())) {
      assertThat(metadata.generation()).isEqualTo(GENERATIONS.get(item.group()));
    }
    Map<?, ?> rule = (Map<?, ?>) item.expected().get("hash_rule");
    assertThat(dataset.hashMatches()).isEqualTo(rule != null);
    if (rule != null) {
      assertThat(dataset.hash()).isEqualTo(item.expected().get("hash_dir"));
      assertThat((String) rule.get("full_sha256")).startsWith(metadata.hash());
      assertThat(dataset.warnings()).noneMatch(warning -> warning.contains("hash"));
    }
    assertThat(metadata.protocolWarning().isPresent()).isEqualTo(item.group().equals("v11ren"));
    assertThat(metadata.foreignKeys()).isEmpty();
    assertThat(dataset.geometry().layers()).hasSize((int) item.derived("L"));
    assertThat(metadata.patches()).isEqualTo((int) item.derived("P"));
    assertThat(dataset.geometry().tokens()).isEqualTo((int) item.derived("T"));
    assertThat(dataset.geometry().dim()).isEqualTo((int) item.derived("D"));
    assertThat(dataset.geometry().examples()).isEqualTo(item.derived("n"));
    assertThat(metadata.examplesPerShard()).isEqualTo(item.derived("imgs_per_shard"));
    assertThat(dataset.shards()).hasSize((int) item.derived("n_shards"));
    assertThat(dataset.listedShards())
        .extracting(Shard::bytes)
        .containsOnly(item.derived("full_shard_bytes"));
    assertThat(dataset.listedShards())
        .extracting(Shard::name)
        .isEqualTo(
            ((Map<?, ?>) item.expected().get("files"))
                .keySet().stream()
                    .map(String.class::cast)
                    .filter(name -> name.startsWith("acts"))
                    .sorted()
                    .toList());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void itsDocumentsAreWrittenAgainByteForByte(Case item) throws Exception {
    SaevMetadata metadata = item.open().metadata();
    byte[] text = Files.readAllBytes(item.directory().resolve("metadata.json"));
    assertThat(metadata.text()).isEqualTo(text);
    boolean byOrjson = new String(text, StandardCharsets.UTF_8).startsWith("{\n  \"");
    JsonStyle style = byOrjson ? JsonStyle.ORJSON_FILE : JsonStyle.PYTHON_FILE;
    assertThat(
            PythonJson.dumps(PythonJson.parse("again", text), style)
                .getBytes(StandardCharsets.UTF_8))
        .isEqualTo(text);
    long budget = metadata.geometry().tokens() * 1000L * metadata.geometry().layers().size();
    SaevMetadata changed = metadata.withTokensPerShard(budget);
    SaevMetadata restored =
        changed.withTokensPerShard(
            ((JsonNumber) metadata.value(MetadataField.TOKENS_PER_SHARD)).longValueExact());
    assertThat(restored.text()).isEqualTo(text);
    Path shards = item.directory().resolve(ShardInfo.FILE);
    assertThat(Files.exists(shards)).isEqualTo(item.expected().get("shards_json") != null);
    if (Files.exists(shards)) {
      byte[] listed = Files.readAllBytes(shards);
      assertThat(ShardInfo.parse("shards", listed, metadata.generation().countKey()).text())
          .isEqualTo(listed);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void itComesBackFromEveryGenerationWithItsHash(Case item) throws Exception {
    SaevMetadata metadata = item.open().metadata();
    for (ProtocolGeneration there : HostileMetadata.WRITABLE) {
      SaevMetadata moved = metadata.to(there);
      assertThat(moved.foreignKeys()).isEmpty();
      if (WRITTEN.contains(item.group())) {
        assertThat(moved.to(metadata.generation()).text()).isEqualTo(metadata.text());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyListedVectorComesOutBitForBit(Case item) throws Exception {
    SaevDataset dataset = item.open();
    List<?> vectors = (List<?>) item.expected().get("vectors");
    assertThat(vectors).isNotEmpty();
    for (Object element : vectors) {
      Map<?, ?> vector = (Map<?, ?>) element;
      int layerIndex = dataset.geometry().layers().indexOf((int) number(vector, "layer"));
      Projection one =
          new Projection(List.of(layerIndex), one(vector, "img"), one(vector, "token_idx"));
      ActivationDataset part = one.of(dataset).requireActivations();
      RecordSelection selection = RecordSelection.all(part.geometry(), RecordSelection.Unit.VECTOR);
      try (BlockCursor cursor = new BlockCursor(part, selection, 0, 1)) {
        assertThat(cursor.next()).isTrue();
        assertThat(hex(cursor.bytes())).as(vector.toString()).isEqualTo(vector.get("hex"));
        assertThat(cursor.next()).isFalse();
      }
    }
  }

  private static List<IndexRange> one(Map<?, ?> vector, String key) {
    return List.of(new IndexRange(number(vector, key), number(vector, key) + 1));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void allItsBytesInOrderHaveTheirDigest(Case item) throws Exception {
    SaevDataset dataset = item.open();
    for (RecordSelection.Unit unit : RecordSelection.Unit.values()) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      RecordSelection everything = RecordSelection.all(dataset.geometry(), unit);
      try (BlockCursor cursor =
          new BlockCursor(dataset, everything, 0, dataset.geometry().examples())) {
        while (cursor.next()) {
          digest.update(cursor.bytes());
        }
      }
      assertThat(HexFormat.of().formatHex(digest.digest()))
          .isEqualTo(item.expected().get("logical_sha256"));
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void itsLabelsAreThoseOfTheWriter(Case item) throws Exception {
    SaevDataset dataset = item.open();
    boolean labelled = item.expected().get("labels") instanceof Map;
    assertThat(dataset.hasLabels()).isEqualTo(labelled);
    if (labelled) {
      Map<?, ?> labels = (Map<?, ?>) item.expected().get("labels");
      try (PatchLabels open = dataset.openLabels()) {
        ByteBuffer all = ByteBuffer.allocate((int) item.derived("n") * open.patches());
        open.read(0, all);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        assertThat(HexFormat.of().formatHex(digest.digest(all.array())))
            .isEqualTo(labels.get("sha256"));
        ByteBuffer last = ByteBuffer.allocate(open.patches());
        open.read(item.derived("n") - 1, last);
        assertThat(HexFormat.of().formatHex(last.array())).isEqualTo(labels.get("last_row_hex"));
      }
    }
  }

  @Test
  void theMetadataOfTheAuthorsDirectoriesYieldsTheirNames() throws Exception {
    Map<?, ?> golden = (Map<?, ?>) parse(Corpus.part("saev").resolve("golden_hashes.json"));
    List<?> vectors = (List<?>) golden.get("vectors");
    assertThat(vectors).isNotEmpty();
    for (Object element : vectors) {
      Map<?, ?> vector = (Map<?, ?>) element;
      String text = PythonJson.dumps(vector.get("metadata"), JsonStyle.PYTHON_FILE);
      SaevMetadata metadata = SaevMetadata.parse("golden", text.getBytes(StandardCharsets.UTF_8));
      String directory = (String) vector.get("directory");
      assertThat(metadata.hash(directory)).as(text).isEqualTo(directory);
    }
  }

  private static Object parse(Path file) {
    try {
      return PythonJson.parse(file.toString(), Files.readAllBytes(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long number(Map<?, ?> object, String key) {
    return ((JsonNumber) object.get(key)).longValueExact();
  }

  private static String hex(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return HexFormat.of().formatHex(copy);
  }
}
