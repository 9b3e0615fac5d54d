package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.console.SmallHeapCommands;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.json.JsonError;
import org.saevhadoop.format.safetensors.dataset.SmallFile;

/** Documents that are too large for 256 MiB are refused in one line that names them. */
@Tag("late")
class DocumentLimitsTest {
  private static final Duration MAX_TIME = Duration.ofMinutes(1);

  @AutoClose
  private static final SmallHeapCommands SMALL_HEAP =
      new SmallHeapCommands(Launched.shortWith("-XX:+ExitOnOutOfMemoryError"));

  private static final int HEADER_BYTES = 99_000_000;

  /** More than the limit of a text, and in full more than the JVM could hold. */
  private static final int REFUSED_BYTES = TestExtent.of(20_000_000, HEADER_BYTES);

  private static final String SAEV_HASH =
      "2826ce7a72edb52860eb5cac3fb9b7c38b784e9822ab9f99eca8368279eaca30";

  @TempDir Path folder;

  /** Documents, and what they hold besides a value that has any size. */
  enum DocumentKind {
    MANIFEST("dataset_manifest.json", "{\"format_version\":\"1.0\",\"shards\":[", "]}"),
    MODEL_INDEX("model.safetensors.index.json", "{\"weight_map\":{\"a\":", "}}"),
    PICKLES("metadata.json", "{\"version\":\"1.0\",\"shards\":[", "]}"),
    SAEV("metadata.json", "{\"vit_family\":\"clip\",\"layers\":[", "]}"),
    SHARD_LIST("shards.json", "[", "]");

    private final String file;
    private final String before;
    private final String after;

    DocumentKind(String file, String before, String after) {
      this.file = file;
      this.before = before;
      this.after = after;
    }
  }

  @BeforeAll
  static void startTheSmallJvm(@TempDir Path other) throws Exception {
    Path file = SmallFile.ofThree(other.resolve("a.safetensors"), "a");
    assertThat(SMALL_HEAP.run(Duration.ofMinutes(2), "inspect", file).exitCode()).isZero();
  }

  /** What may be wrong with a document. */
  enum Excess {
    SIZE,
    STRING,
    KEY,
    VALUES,
    LEVELS,
    ENCODING
  }

  /** All pairs; in a sample, one kind of document for each excess. */
  static Stream<Arguments> documents() {
    return Stream.of(Excess.values())
        .flatMap(
            excess ->
                Stream.of(DocumentKind.values())
                    .filter(
                        kind ->
                            TestExtent.isWhole() || (kind.ordinal() + excess.ordinal()) % 5 == 0)
                    .map(kind -> Arguments.of(excess, kind)));
  }

  @ParameterizedTest
  @Tag("sampled")
  @MethodSource("documents")
  void aDocumentBeyondALimitIsRefused(Excess excess, DocumentKind kind) throws Exception {
    switch (excess) {
      case SIZE -> {
        Path document = write(kind, "\"", "a", "", 1).resolve(kind.file);
        try (RandomAccessFile file = new RandomAccessFile(document.toFile(), "rw")) {
          file.setLength(200_000_000);
        }
        assertRefused(kind, document.getParent());
      }
      case STRING -> assertRefused(kind, write(kind, "\"", "a", "\"", 15_000_000));
      case KEY -> assertRefused(kind, write(kind, "{\"", "\\u0061", "\":1}", 30_000_000));
      case VALUES -> {
        assertRefused(kind, write(kind, "[0", ",0", "]", 15_000_000));
        assertRefused(kind, write(kind, "[{}", ",{}", "]", 30_000_000));
      }
      case LEVELS -> {
        assertRefused(kind, write(kind, "[", "[", "]", 15_000_000));
        assertRefused(kind, write(kind, "{\"a\":1", "", "}", 100_000));
      }
      case ENCODING -> assertEncodingIsRefused(kind);
    }
  }

  private void assertEncodingIsRefused(DocumentKind kind) throws Exception {
    Path dataset = dataset(kind);
    String text = kind.before + kind.after;
    for (Charset charset :
        List.of(StandardCharsets.UTF_16, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE)) {
      Files.write(dataset.resolve(kind.file), text.getBytes(charset));
      assertRefused(kind, dataset);
    }
  }

  @Test
  void aListOfManyShardsIsReadInLinearTime() throws Exception {
    Path dataset = dataset(DocumentKind.SHARD_LIST);
    StringBuilder list = new StringBuilder("[");
    for (int i = 0; i < 300_000; i++) {
      list.append(i == 0 ? "" : ",")
          .append("\n  {\n    \"name\": \"acts%06d.bin\",\n    \"n_imgs\": 1\n  }".formatted(i));
    }
    Files.writeString(dataset.resolve("shards.json"), list.append("\n]"));
    long start = System.nanoTime();
    Cli inspect = SMALL_HEAP.run(MAX_TIME, "inspect", dataset);
    assertThat(inspect.exitCode()).as(inspect.stderr()).isZero();
    assertThat(System.nanoTime() - start).isLessThan(MAX_TIME.toNanos());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"name\":\"a\",\"n_imgs\":9223372036854775808}]",
        "[{\"name\":\"a\",\"n_imgs\":9223372036854775807},{\"name\":\"b\",\"n_imgs\":1}]"
      })
  void countsBeyond64BitsAreRefused(String text) throws IOException {
    Path dataset = dataset(DocumentKind.SHARD_LIST);
    Files.writeString(dataset.resolve("shards.json"), text);
    Cli check = Cli.run("verify", dataset, "--structure");
    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.text()).contains(dataset.resolve("shards.json") + ": ");
  }

  /** Asserts that the check, and the description unless it ignores the document, report it. */
  private void assertRefused(DocumentKind kind, Path dataset) throws Exception {
    Cli check = SMALL_HEAP.run(MAX_TIME, "verify", dataset, "--structure");
    assertThat(check.exitCode()).as(check.text() + check.stderr()).isEqualTo(1);
    assertThat(check.text() + check.stderr())
        .contains(dataset.resolve(kind.file).toString())
        .doesNotContain("out of memory");
    Cli inspect = SMALL_HEAP.run(MAX_TIME, "inspect", dataset);
    if (kind != DocumentKind.SHARD_LIST) {
      assertThat(inspect.exitCode()).isEqualTo(1);
      assertThat(inspect.text()).isEmpty();
      assertThat(inspect.stderr().lines()).hasSize(1);
      assertThat(inspect.stderr()).startsWith(dataset.resolve(kind.file).toString());
    }
  }

  private Path write(DocumentKind kind, String first, String more, String last, int bytes)
      throws IOException {
    Path dataset = dataset(kind);
    try (OutputStream out =
        new BufferedOutputStream(Files.newOutputStream(dataset.resolve(kind.file)))) {
      out.write((kind.before + first).getBytes(StandardCharsets.US_ASCII));
      byte[] piece = more.repeat(1000).getBytes(StandardCharsets.US_ASCII);
      for (long written = 0; written < bytes && piece.length > 0; written += piece.length) {
        out.write(piece);
      }
      out.write((last + kind.after).getBytes(StandardCharsets.US_ASCII));
    }
    return dataset;
  }

  private Path dataset(DocumentKind kind) throws IOException {
    if (kind == DocumentKind.SHARD_LIST) {
      Path copy = folder.resolve(SAEV_HASH);
      return Files.exists(copy) ? copy : Fixtures.copy(SAEV_HASH, folder);
    }
    Path dataset = Files.createDirectories(folder.resolve("dataset"));
    if (kind == DocumentKind.MANIFEST || kind == DocumentKind.MODEL_INDEX) {
      SmallFile.ofThree(dataset.resolve("a.safetensors"), "a");
    }
    if (kind == DocumentKind.PICKLES) {
      Files.copy(
          Fixtures.pickle("spec").resolve("shard_0001.pkl.gz"),
          dataset.resolve("shard_0001.pkl.gz"),
          java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
    if (kind == DocumentKind.SAEV) {
      Files.write(dataset.resolve("acts000000.bin"), new byte[4]);
    }
    return dataset;
  }

  @ParameterizedTest
  @Tag("sampled")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"__metadata__\":{\"k\":\"|\"}}",
        "{\"__metadata__\":{\"|\":\"v\"}}",
        "{\"|\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}",
        "{\"__metadata__\":{\"k\":\"\\u0061|\"}}"
      })
  void aHeaderThatIsOneTextIsRefused(String before, String after) throws Exception {
    Path file = header(REFUSED_BYTES, before, "a", after);
    List<String[]> commands =
        List.of(
            new String[] {"inspect", file.toString()},
            new String[] {"inspect", file.toString(), "--json"},
            new String[] {"cat", file.toString(), "--name", "x"});
    int first = before.length() % commands.size(); // in a sample, one for each header
    for (String[] command : TestExtent.isWhole() ? commands : commands.subList(first, first + 1)) {
      Cli cli = SMALL_HEAP.run(MAX_TIME, (Object[]) command);
      assertThat(cli.exitCode()).isEqualTo(1);
      assertThat(cli.stderr().lines()).hasSize(1);
      assertThat(cli.stderr()).startsWith(file.toString()).contains("expected at most");
    }
  }

  @Test
  @Tag("sampled")
  void manyMetadataKeysOrDimensionsAreRefused() throws Exception {
    for (String[] parts :
        new String[][] {
          {"{\"__metadata__\":{\"k\":\"\"", ",\"k\":\"\"", "}}"},
          {"{\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,0],\"shape\":[0", ",1", "]}}"}
        }) {
      Path file = header(REFUSED_BYTES, parts[0], parts[1], parts[2]);
      Cli cli = SMALL_HEAP.run(MAX_TIME, "inspect", file, "--lenient");
      assertThat(cli.exitCode()).isEqualTo(1);
      assertThat(cli.stderr().lines()).hasSize(1);
      assertThat(cli.stderr()).startsWith(file.toString()).contains("expected at most");
    }
  }

  @Test
  void anUnknownFieldOrATextBelowTheLimitIsRead() throws Exception {
    assertIsRead("a");
  }

  @Test
  @Tag("long")
  void soItIsIfEachCharacterTakesMoreBytes() throws Exception {
    assertIsRead("\u202e");
  }

  private void assertIsRead(String text) throws Exception {
    Path unknown =
        header(
            HEADER_BYTES,
            "{\"a\":{\"x\":\"",
            text,
            "\",\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}");
    Cli inspect = SMALL_HEAP.run(MAX_TIME, "inspect", unknown);
    assertThat(inspect.exitCode()).as(inspect.stderr()).isZero();
    Path metadata = folder.resolve("long.safetensors");
    String value = text.repeat(5_000_000);
    SmallFile.write(metadata, "{\"__metadata__\":{\"k\":\"" + value + "\"}}", 0);
    Cli json = SMALL_HEAP.run(MAX_TIME, "inspect", metadata, "--json");
    assertThat(json.exitCode()).as(json.stderr()).isZero();
    assertThat(json.json().get("metadata").get("k").asText()).isEqualTo(value);
    assertThat(SMALL_HEAP.run(MAX_TIME, "inspect", metadata).exitCode()).isZero();
  }

  private Path header(int bytes, String before, String text, String after) throws IOException {
    Path file = folder.resolve("x.safetensors");
    byte[] start = before.getBytes(StandardCharsets.UTF_8);
    byte[] piece = text.repeat(1000).getBytes(StandardCharsets.UTF_8);
    byte[] end = after.getBytes(StandardCharsets.UTF_8);
    int pieces = (bytes - start.length - end.length) / piece.length;
    int length = start.length + pieces * piece.length + end.length;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      out.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(length).array());
      out.write(start);
      for (int i = 0; i < pieces; i++) {
        out.write(piece);
      }
      out.write(end);
    }
    return file;
  }

  @Test
  void duplicatesInAManifestAreRefused() throws IOException {
    Path dataset = dataset(DocumentKind.MANIFEST);
    String shard = "{\"shard_path\":\"a.safetensors\",\"samples_count\":1,\"bytes\":80%s}";
    for (String text :
        List.of(
            "{\"format_version\":\"1.0\",\"format_version\":\"1.0\",\"shards\":[]}",
            "{\"format_version\":\"1.0\",\"shards\":[],\"shards\":[]}",
            "{\"format_version\":\"1.0\",\"shards\":[" + shard.formatted(",\"bytes\":81") + "]}")) {
      Files.writeString(dataset.resolve("dataset_manifest.json"), text);
      Cli.run("inspect", dataset).failsWithKind("BAD_MANIFEST", dataset);
    }
    Files.writeString(
        dataset.resolve("dataset_manifest.json"), "\ufffe{}", StandardCharsets.UTF_16BE);
    Cli.run("inspect", dataset).failsWith(JsonError.BAD_JSON, "dataset_manifest.json");
  }
}
