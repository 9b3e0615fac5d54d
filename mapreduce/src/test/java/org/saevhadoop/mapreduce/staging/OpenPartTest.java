package org.saevhadoop.mapreduce.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.spi.StreamAccess.Part;
import org.saevhadoop.mapreduce.io.CountedInput;

class OpenPartTest {
  private final List<String> closed = new ArrayList<>();

  private CountedInput failing(String path) throws IOException {
    Input file = new MemoryInput(path, new byte[1]);
    return CountedInput.of(
        new Input.Filter() {
          @Override
          public Input file() {
            return file;
          }

          @Override
          public void readFully(long position, ByteBuffer dst) throws IOException {
            file.readFully(position, dst);
          }

          @Override
          public void close() throws IOException {
            closed.add(path);
            throw new IOException(path);
          }
        });
  }

  @Test
  void allFilesAreClosedEvenIfOneCannotBeClosed() throws IOException {
    OpenPart part =
        new OpenPart(
            new Part(0, List.of("a", "b", "c"), 3),
            List.of(failing("a"), failing("b"), failing("c")));
    Throwable failure = catchThrowable(part::close);
    assertThat(closed).containsExactly("a", "b", "c");
    assertThat(failure).isInstanceOf(IOException.class).hasMessage("a");
    assertThat(failure.getSuppressed()).extracting(Throwable::getMessage).containsExactly("b", "c");
  }
}
