package org.saevhadoop.mapreduce.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.header.EncodedHeader;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.safetensors.index.KeyedTensor;
import org.saevhadoop.format.safetensors.index.KeyedTensors;
import org.saevhadoop.format.safetensors.index.TensorIndexBuilder;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;
import org.saevhadoop.format.safetensors.index.TensorIndexError;
import org.saevhadoop.format.tensor.DType;

class KeyedTensorsTest {
  private static final List<String> FILES = List.of("a.safetensors", "b.safetensors");

  @TempDir static Path written;
  @TempDir Path dir;
  private Folder folder;

  @BeforeAll
  static void write() throws IOException {
    for (int f = 0; f < 2; f++) {
      List<TensorSpec> specs = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        specs.add(new TensorSpec(key(f, i, "vector"), DType.F32, List.of(8L)));
        specs.add(new TensorSpec(key(f, i, "labels"), DType.U8, List.of(2L, 3L)));
      }
      file(written.resolve(FILES.get(f)), specs);
    }
    Folder all = new LocalFolder(written);
    assertThat(TensorIndexBuilder.write(all, FILES, all.create(TensorIndex.NAME))).isEqualTo(200);
  }

  @BeforeEach
  void copy() throws IOException {
    folder = new LocalFolder(dir);
    for (String name : List.of(FILES.get(0), FILES.get(1), TensorIndex.NAME)) {
      Files.copy(written.resolve(name), dir.resolve(name));
    }
  }

  private static void file(Path path, List<TensorSpec> specs) throws IOException {
    Map<String, String> metadata = Map.of("who", "\"0_0000__vector\":{");
    EncodedHeader header = SafetensorsHeader.encode(specs, metadata);
    ByteBuffer data = ByteBuffer.allocate((int) header.dataBytes());
    header.tensors().forEach(tensor -> data.put(data(tensor)));
    SafetensorsFiles.write(path, metadata, specs, data.flip());
  }

  private static String key(int file, int i, String column) {
    return "%d_%04d__%s".formatted(file, i, column);
  }

  /** Bytes that no other tensor has. */
  private static ByteBuffer data(TensorInfo tensor) {
    byte[] bytes = new byte[(int) tensor.byteLength()];
    new Random(tensor.name().hashCode()).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  @Test
  void aTensorIsReadWithOneReadOfItsHeaderAndOneOfItsData() throws IOException {
    MemoryStorage counted = MemoryStorage.copyOf(folder);
    try (TensorIndex index = TensorIndex.open(folder);
        KeyedTensor tensor = fetch(counted, index, key(1, 33, "labels"))) {
      assertThat(tensor.tensor().dtype()).isEqualTo(DType.U8);
      assertThat(tensor.tensor().shape()).containsExactly(2L, 3L);
      ByteBuffer read = ByteBuffer.allocate(6);
      tensor.read(0, read);
      assertThat(read.flip()).isEqualTo(data(tensor.tensor()));
      assertThat(counted.reads()).hasSize(2);
      assertThat(counted.reads().get(0).position()).isZero();
      assertThat(counted.reads().get(1).bytes()).isEqualTo(6);
    }
  }

  @Test
  void everyTensorIsFoundByItsKeyAndReadInPieces() throws IOException {
    try (TensorIndex index = TensorIndex.open(folder)) {
      for (int f = 0; f < 2; f++) {
        for (int i = 0; i < 50; i++) {
          try (KeyedTensor tensor = fetch(folder, index, key(f, i, "vector"))) {
            ByteBuffer read = ByteBuffer.allocate(32);
            for (int at = 0; at < 32; at += 8) {
              tensor.read(at, read.limit(at + 8));
            }
            assertThat(read.flip()).isEqualTo(data(tensor.tensor()));
          }
        }
      }
      assertThat(index.find("2_0000__vector")).isEmpty();
    }
  }

  @Test
  void moreThanTheTensorHasIsNotRead() throws IOException {
    try (TensorIndex index = TensorIndex.open(folder);
        KeyedTensor tensor = fetch(folder, index, key(0, 0, "vector"))) {
      assertThatThrownBy(() -> tensor.read(8, ByteBuffer.allocate(25)))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("bytes 8 to 33");
    }
  }

  @Test
  void aHeaderThatOthersWroteIsParsed() throws IOException {
    String header = "{ \"k\\u0065y\" : {\"shape\":[4], \"dtype\":\"U8\", \"data_offsets\":[0,4]} }";
    Files.write(
        dir.resolve("c.safetensors"),
        ByteBuffer.allocate(8 + header.length() + 4)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(header.length())
            .put(header.getBytes(StandardCharsets.UTF_8))
            .putInt(0x01020304)
            .array());
    TensorIndexEntry entry =
        new TensorIndexEntry("key", "c.safetensors", DType.U8, List.of(4L), 0, 4, header.length());
    try (KeyedTensor tensor = fetch(entry)) {
      ByteBuffer read = ByteBuffer.allocate(4);
      tensor.read(0, read);
      assertThat(read.array()).containsExactly(4, 3, 2, 1);
    }
  }

  @Test
  void anIndexOfOtherFilesIsStale() throws IOException {
    file(dir.resolve("a.safetensors"), List.of(new TensorSpec("large", DType.F32, List.of(8000L))));
    stale("a.safetensors", key(0, 0, "vector"));
  }

  @Test
  void anIndexOfTensorsThatHaveMovedIsStale() throws IOException {
    // of the same length, so that only the tensor's own part tells
    byte[] bytes = Files.readAllBytes(dir.resolve("b.safetensors"));
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    text = text.replace("1_0007", "1_xxxx").replace("1_0008", "1_0007");
    Files.write(
        dir.resolve("b.safetensors"),
        text.replace("1_xxxx", "1_0008").getBytes(StandardCharsets.ISO_8859_1));
    stale("b.safetensors", key(1, 7, "vector"));
    Files.write(
        dir.resolve("b.safetensors"),
        text.replace("1_0007", "1_yyyy").getBytes(StandardCharsets.ISO_8859_1));
    stale("b.safetensors", key(1, 7, "vector"));
  }

  private void stale(String file, String key) throws IOException {
    try (TensorIndex index = TensorIndex.open(folder)) {
      assertFails(TensorIndexError.STALE_INDEX, dir.resolve(file), () -> fetch(folder, index, key));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../a.safetensors", "/etc/passwd", "x:y", ".a", "a\u0000b"})
  void aFileOutsideTheFolderIsNotOpened(String file) throws IOException {
    TensorIndexEntry entry = new TensorIndexEntry("k", file, DType.U8, List.of(), 0, 1, 8);
    assertFails(TensorIndexError.BAD_ENTRY, TensorIndex.NAME, () -> fetch(entry));
  }

  @ParameterizedTest
  @ValueSource(longs = {100_000_001, Long.MAX_VALUE, 99_999_999})
  void aHeaderLengthThatCannotBeTakesNoMemory(long headerBytes) throws IOException {
    TensorIndexEntry entry =
        new TensorIndexEntry(
            key(0, 0, "vector"), FILES.get(0), DType.F32, List.of(8L), 0, 32, headerBytes);
    assertFails(TensorIndexError.STALE_INDEX, "a.safetensors", () -> fetch(entry));
  }

  private KeyedTensor fetch(TensorIndexEntry entry) throws IOException {
    return new KeyedTensors(folder, folder.path(TensorIndex.NAME)).fetch(entry);
  }

  private static KeyedTensor fetch(Folder folder, TensorIndex index, String key)
      throws IOException {
    return new KeyedTensors(folder, index.path()).fetch(index.find(key).orElseThrow());
  }
}
