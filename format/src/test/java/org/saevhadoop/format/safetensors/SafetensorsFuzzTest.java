package org.saevhadoop.format.safetensors;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.io.FormatException;

/** No bytes do worse than a {@link FormatException}. Its inputs are beside it in the resources. */
class SafetensorsFuzzTest {
  @FuzzTest
  void anyBytesAreReadOrRefused(byte[] file) throws IOException {
    SafetensorsHeader header;
    try {
      header = MemoryFile.read(file);
    } catch (FormatException e) {
      String problem = e.getMessage().substring(MemoryFile.PATH.length() + 2);
      SafetensorsError.valueOf(problem.split(":")[0]);
      return;
    }
    List<TensorSpec> specs =
        header.tensors().stream().map(t -> new TensorSpec(t.name(), t.dtype(), t.shape())).toList();
    EncodedHeader encoded = SafetensorsHeader.encode(specs, header.metadata());
    assertThat(encoded.dataBytes()).isEqualTo(file.length - header.dataStart());
  }
}
