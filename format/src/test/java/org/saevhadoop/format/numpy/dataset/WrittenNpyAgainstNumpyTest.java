package org.saevhadoop.format.numpy.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.testing.Python;

/** numpy loads what is written. */
@Tag("python")
class WrittenNpyAgainstNumpyTest {
  private static final Geometry GEOMETRY = new Geometry(5, List.of(13, 21), 4, 3);

  @TempDir Path directory;

  @Test
  void numpyLoadsTheBlocksOfEachFile() throws Exception {
    NpyWritePlan plan =
        new NpyWritePlan(GEOMETRY.table(), 2, Provenance.NONE, null, TokenArrays.NONE);
    InventedFiles.write(plan.write(SampleMetadata.NONE), directory);
    String script =
        """
        import json, numpy, sys
        document = json.load(open(sys.argv[1] + '/saev-arrays.json'))
        for column in range(2):
            for part in document['parts']:
                a = numpy.load(sys.argv[1] + '/' + part['files'][column])
                print(a.dtype, a.shape, a.tobytes().hex())
        """;
    List<String> expected = new ArrayList<>();
    for (int layer = 0; layer < 2; layer++) {
      for (int first = 0; first < 5; first += 2) {
        int examples = Math.min(2, 5 - first);
        ByteBuffer blocks = ByteBuffer.allocate(examples * (int) GEOMETRY.blockBytes());
        for (int example = first; example < first + examples; example++) {
          blocks.put(InventedFiles.block(GEOMETRY, example, layer));
        }
        String values = HexFormat.of().formatHex(blocks.array());
        expected.add("float32 (%d, 4, 3) %s".formatted(examples, values));
      }
    }
    assertThat(Python.MACHINE.with("numpy").run(script, directory)).isEqualTo(expected);
  }
}
