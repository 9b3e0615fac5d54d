package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.torch.file.TorchFile;
import org.saevhadoop.format.torch.file.TorchPickle;

/** Lists of integers in files of torch are read as tensors of the same integers. */
class ListedIntegersTest {
  private static final long[] THREE = {3, -1, 1L << 40};

  @TempDir Path folder;

  @BeforeEach
  void writeVectors() throws IOException {
    Found acts = Found.of("F32", List.of(3L, 2L), NaiveTensors.floats(1, 2, 3, 4, 5, 6));
    for (String name : List.of("lists", "tensors")) {
      OwnContainer.TORCH.write(folder.resolve(name), "acts", Map.of("acts", acts));
    }
  }

  private static String list(long... items) {
    return TorchPickle.list(
        LongStream.of(items).mapToObj(TorchPickle::number).toArray(String[]::new));
  }

  private static Found tensor(List<Long> shape, long... items) {
    ByteBuffer bytes =
        ByteBuffer.allocate(items.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(items);
    return Found.of("I64", shape, bytes.array());
  }

  private void writeLists(String name, String pickle) throws IOException {
    Files.write(folder.resolve("lists").resolve(name), TorchFile.of(pickle).bytes());
  }

  /** Returns what a conversion prints and writes. */
  private String reading(String name, String... options) throws IOException {
    Path out = folder.resolve("npy-" + name);
    Cli cli = Cli.convert(folder.resolve(name), out, "npy", (Object[]) options);
    StringBuilder all = new StringBuilder(cli.stderr().replace(folder.resolve(name) + "", ""));
    if (Files.exists(out)) {
      try (var files = Files.list(out)) {
        for (Path file : files.sorted().toList()) {
          all.append(file.getFileName())
              .append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        }
      }
    }
    return all.toString().replaceAll("(?m)^(convert: |next: |note: ).*$", "").replace(name, "");
  }

  @Test
  void aFileThatIsAListHasTheIntegersOfTheVectors() throws IOException {
    writeLists("labels.pt", list(THREE));
    OwnContainer.TORCH.write(
        folder.resolve("tensors"), "labels", Map.of("labels", tensor(List.of(3L), THREE)));
    assertThat(reading("lists")).isEqualTo(reading("tensors")).contains("token_labels.npy");
  }

  @Test
  void soHasADictionaryOfLists() throws IOException {
    writeLists(
        "side.pt",
        TorchPickle.dict(
            TorchPickle.text("ids"), list(THREE), TorchPickle.text("kind"), list(7, 8, 9)));
    Map<String, Found> both =
        Map.of("ids", tensor(List.of(3L), THREE), "kind", tensor(List.of(3L), 7, 8, 9));
    OwnContainer.TORCH.write(folder.resolve("tensors"), "side", both);
    assertThat(reading("lists")).isEqualTo(reading("tensors")).contains("ids.npy", "kind.npy");
  }

  @Test
  void aListOfAnotherLengthIsLeftOutWithAWarning() throws IOException {
    writeLists("labels.pt", list(1, 2, 3, 4));
    OwnContainer.TORCH.write(
        folder.resolve("tensors"), "labels", Map.of("labels", tensor(List.of(4L), 1, 2, 3, 4)));
    assertThat(reading("lists")).isEqualTo(reading("tensors")).contains("left out");
  }

  @Test
  void listsNextToTheTensorsNameTokensAndMaskThem() throws IOException {
    Files.delete(folder.resolve("lists/acts.pt"));
    Files.delete(folder.resolve("tensors/acts.pt"));
    Found acts = Found.of("F32", List.of(2L, 2L, 1L), NaiveTensors.floats(1, 2, 3, 4));
    String storage = TorchPickle.storage(TorchPickle.torch("FloatStorage"), "0", 4);
    String dict =
        TorchPickle.dict(
            TorchPickle.text("acts"),
            TorchPickle.tensor(storage, 0, new long[] {2, 2, 1}, new long[] {2, 1, 1}),
            TorchPickle.text("input_ids"),
            TorchPickle.list(list(5, 6), list(7, 8)),
            TorchPickle.text("attention_mask"),
            TorchPickle.list(list(1, 1), list(1, 0)));
    Files.write(
        folder.resolve("lists/x.pt"), TorchFile.of(dict).storage("0", acts.bytes()).bytes());
    Map<String, Found> all = new LinkedHashMap<>(Map.of("acts", acts));
    all.put("input_ids", tensor(List.of(2L, 2L), 5, 6, 7, 8));
    all.put("attention_mask", tensor(List.of(2L, 2L), 1, 1, 1, 0));
    OwnContainer.TORCH.write(folder.resolve("tensors"), "x", all);
    String[] flatten = {"--ragged", "flatten"};
    assertThat(reading("lists", flatten))
        .isEqualTo(reading("tensors", flatten))
        .contains("input_ids.npy")
        .contains("'shape': (3, 1, 1)");
  }
}
