package org.saevhadoop.converters.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickle.write.PickleWriter;
import org.saevhadoop.format.tensor.DType;

/** Lines of list and {@code verify --structure} about shards that contradict their documents. */
@Tag("late")
class PickleCheckTest {
  @TempDir Path folder;
  private Path shard;

  /** Two samples of layer 3, the second of which says another shape than its array has. */
  @BeforeEach
  void writeAShard() throws IOException {
    shard = folder.resolve("shard_0001.pkl");
    try (var out =
        Files.newByteChannel(shard, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      PickleWriter pickle = new PickleWriter("test", 4, out::write);
      pickle.beginDict(PythonValue.Dict.Kind.DICT);
      pickle.key(Geometry.LAYER_PREFIX + 3);
      pickle.beginList();
      for (long id = 0; id < 2; id++) {
        pickle.beginDict(PythonValue.Dict.Kind.DICT);
        pickle.key("sample_idx");
        pickle.value(id, null);
        pickle.key("activation");
        pickle.array(DType.F32, new long[] {2, 2}, ByteBuffer.allocate(16));
        pickle.key("shape");
        pickle.value(new PythonValue.Tuple(List.of(2L, 2L + id)), null);
        pickle.endDict();
      }
      pickle.endList();
      pickle.endDict();
      pickle.end();
    }
  }

  @Test
  void aShapeThatIsNotTheArraysIsAWarningToListAndAProblemToCheck() {
    Cli list = Cli.run("list", folder).succeeds();
    assertThat(list.text().lines())
        .containsExactly("shard_0001.pkl 3 0 [2,2] float32", "shard_0001.pkl 3 1 [2,2] float32");
    assertThat(list.stderr())
        .isEqualTo(
            "warning: "
                + shard
                + ": SHAPE_MISMATCH: sample 1 of layer 3 has an array of [2, 2],"
                + " but its shape field is (2, 3)\n");
    assertThat(Cli.problems(folder))
        .startsWith("error SHAPE_MISMATCH " + shard + ": ")
        .hasLineCount(1);
  }

  @Test
  void whatMetadataJsonPromisesAndIsNotThereIsAFaultToBoth() throws IOException {
    Files.writeString(
        folder.resolve("metadata.json"),
        "{\"version\":\"1.0\",\"shards\":[{\"filename\":\"shard_0001.pkl\",\"num_samples\":3}]}",
        StandardCharsets.UTF_8);
    Cli list = Cli.run("list", folder);
    assertThat(list.exitCode()).isEqualTo(1);
    assertThat(list.text()).hasLineCount(2);
    assertThat(list.stderr())
        .contains("metadata.json: COUNT_MISMATCH: shard_0001.pkl has 2 samples");
    assertThat(Cli.problems(folder)).hasLineCount(2);
    assertThat(Cli.run("inspect", folder).succeeds().text()).contains("COUNT_MISMATCH");
  }

  @Test
  void soundShardsHaveNoProblem() {
    Cli.assertSound(Fixtures.pickle("spec"));
  }
}
