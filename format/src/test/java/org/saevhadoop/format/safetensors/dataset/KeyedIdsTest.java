package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.safetensors.dataset.SafetensorsOptions.KnownIds;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;

class KeyedIdsTest {
  @TempDir Path folder;

  @BeforeEach
  void writeFiles() throws IOException {
    write("a", "p", "q");
    write("b", "r");
    write("c", "sss", "t", "u");
  }

  @Test
  void idsOfAnyExamplesAreReadAcrossFiles() throws IOException {
    ExampleIds ids = table(TensorLayout.KV, null).ids().orElseThrow();
    assertThat(ids.ids(0, 6)).containsExactly("p", "q", "r", "sss", "t", "u");
    assertThat(ids.ids(1, 3)).containsExactly("q", "r", "sss");
    assertThat(ids.ids(4, 1)).containsExactly("t");
    assertThat(ids.ids(0, 0)).isEmpty();
    assertThat(ids.maxBytes()).isEqualTo(3);
    assertThat(ids.areNumbers()).isFalse();
  }

  @Test
  void idsOfExamplesThatAreLeftOutAreLeftOut() throws IOException {
    SafetensorsTable left = table(TensorLayout.KV, null).without(new long[] {0, 2, 4});
    assertThat(left.ids().orElseThrow().ids(0, 3)).containsExactly("q", "sss", "u");
  }

  @Test
  void whatIsKnownOfThemTakesNoReading() throws IOException {
    ExampleIds ids = table(TensorLayout.KV, new KnownIds(7, true)).ids().orElseThrow();
    for (String name : List.of("a", "b", "c")) {
      Files.delete(folder.resolve(name + ".safetensors"));
    }
    assertThat(ids.maxBytes()).isEqualTo(7);
    assertThat(ids.areNumbers()).isTrue();
  }

  @Test
  void examplesOfBatchesHaveNone() throws IOException {
    List<TensorSpec> specs = List.of(new TensorSpec("v", DType.U8, List.of(2L)));
    SafetensorsFiles.write(folder.resolve("a.safetensors"), null, specs);
    Files.delete(folder.resolve("b.safetensors"));
    Files.delete(folder.resolve("c.safetensors"));
    assertThat(table(TensorLayout.BATCH, null).ids()).isEmpty();
  }

  private SafetensorsTable table(TensorLayout layout, KnownIds known) throws IOException {
    return SafetensorsTable.open(
        new LocalFolder(folder),
        new SafetensorsOptions(
            layout, null, HeaderStrictness.STRICT, List.of(), ProvenanceReader.NONE, known));
  }

  private void write(String name, String... ids) throws IOException {
    String[] names = Stream.of(ids).map(id -> id + "__v").toArray(String[]::new);
    SafetensorsFiles.writeScalars(folder.resolve(name + ".safetensors"), names);
  }
}
