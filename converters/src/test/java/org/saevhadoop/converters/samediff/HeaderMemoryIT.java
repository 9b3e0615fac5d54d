package org.saevhadoop.converters.samediff;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;

/** The longest possible headers, with as many tensors as they hold, in 256 MiB. */
@Tag("long")
class HeaderMemoryIT {
  private static final int HEADER_BYTES = SafetensorsHeader.MAX_HEADER_BYTES;
  private static final List<String> JVM = Launched.shortWith("-Xmx256m");
  private static final int MAX_ENTRY_BYTES = 100;

  @TempDir Path folder;

  @Test
  void oneMillionEightHundredThousandTensorsFitASmallHeap() throws Exception {
    assertIsRead(
        HeaderStrictness.STRICT,
        1_800_000,
        0,
        "\"%s\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}");
  }

  @Test
  void fourMillionInTheShortestSpellingFitToo() throws Exception {
    assertIsRead(HeaderStrictness.LENIENT, 4_000_000, 0, "\"%s\":[\"U8\",[0],[0,0]]");
  }

  @Test
  void soDoTensorsThatMustBeSorted() throws Exception {
    int tensors = 1_400_000;
    assertIsRead(
        HeaderStrictness.STRICT,
        tensors,
        tensors,
        "\"%s\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[%d,%d]}");
  }

  @Test
  void inspectPrintsThemAllInASmallHeap() throws Exception {
    Path file = folder.resolve("many.safetensors");
    String entry = "\"%s\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}";
    int written = write(file, HEADER_BYTES, 0, entry);
    Path output = folder.resolve("output");
    Process process = Launched.start(Main.class, output, JVM, "inspect", file);
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    try (Stream<String> lines = Files.lines(output)) {
      assertThat(
              lines
                  .filter(line -> line.endsWith("  uint8  [0] shape  0 B  [0,0] data_offsets"))
                  .count())
          .isEqualTo(written);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"inspect", "convert --to=safetensors"})
  void aDatasetOfMoreKeysThanFitIsNamed(String command) throws Exception {
    int keys = 400_000;
    int heap = 104;
    Path dataset = Files.createDirectory(folder.resolve("dataset"));
    int written =
        write(
            dataset.resolve("many.safetensors"),
            HEADER_BYTES,
            keys,
            "\"%s__x\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[%d,%d]}");
    assertThat(written).isEqualTo(keys);
    List<Object> args = new ArrayList<>(List.of(command.split(" ")));
    args.add(dataset);
    if (command.startsWith("convert")) {
      args.add(folder.resolve("out"));
    }
    Path output = folder.resolve("output");
    List<String> jvm = List.of("-Xmx" + heap + "m", "-XX:TieredStopAtLevel=1");
    Process process = Launched.start(Main.class, output, jvm, args.toArray());
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readAllLines(Launched.errors(output)))
        .filteredOn(line -> !line.startsWith("convert: "))
        .singleElement()
        .asString()
        .startsWith(dataset + ": out of memory: give the JVM more with ")
        .endsWith("-Xmx... (its heap is " + heap + ".0 MiB)");
    assertThat(process.exitValue()).isEqualTo(1);
  }

  /** Where there is data the last tensor of the header is the first of it. */
  private void assertIsRead(HeaderStrictness strictness, int least, int dataBytes, String entry)
      throws IOException, InterruptedException {
    Path file = folder.resolve("many.safetensors");
    int written = write(file, HEADER_BYTES, dataBytes, entry);
    assertThat(written).isGreaterThanOrEqualTo(least);
    Path output = folder.resolve("output");
    List<String> command = Launched.command(Reading.class, JVM, file, strictness);
    command.set(command.indexOf("-cp") + 1, classPath());
    int exitCode = Launched.run(command, output);
    String said = Files.readString(output);
    assertThat(exitCode).as(Launched.said(output)).isZero();
    assertThat(said.strip()).endsWith(written + " tensors, the last is there");
  }

  /** Only what it needs: a JVM keeps the directory of each jar that it searches in its heap. */
  private static String classPath() {
    return Stream.of(Reading.class, SafetensorsHeader.class)
        .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static int write(Path file, int bytes, int dataBytes, String entry) throws IOException {
    int written = 0;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      ByteBuffer length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      out.write(length.putLong(bytes).array());
      out.write('{');
      int left = bytes - 2;
      while (left > MAX_ENTRY_BYTES && (dataBytes == 0 || written < dataBytes)) {
        int begin = dataBytes - written - 1;
        String name = Integer.toString(written, Character.MAX_RADIX);
        String text =
            (written == 0 ? "" : ",")
                + entry
                    .replace("%s", name)
                    .replace("%d,%d", begin + "," + (begin + 1)); // formatted() takes a minute
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        left -= text.length();
        written++;
      }
      out.write('}');
      out.write(" ".repeat(left).getBytes(StandardCharsets.US_ASCII));
      out.write(new byte[dataBytes]);
    }
    return written;
  }

  /** Reads a header and says how many tensors it has. */
  static final class Reading {
    private Reading() {}

    public static void main(String[] args) throws IOException {
      try (Input in = LocalFile.open(Path.of(args[0]))) {
        SafetensorsHeader header = SafetensorsHeader.read(in, HeaderStrictness.valueOf(args[1]));
        int tensors = header.tensors().size();
        String last = Integer.toString(tensors - 1, Character.MAX_RADIX);
        boolean isThere = header.tensor(last).isPresent();
        System.out.println(tensors + " tensors, the last is " + (isThere ? "there" : "missing"));
      }
    }
  }
}
