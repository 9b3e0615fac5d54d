package org.saevhadoop.format.staged;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class StagedFolderTest {
  private static final int UNIT = 1 << 16;

  @TempDir Path temporary;

  private StagedFolder open() {
    return StagedFolder.of(new LocalFolder(temporary));
  }

  /** Empties the folder, and writes a part of one file. */
  private byte[] write(String name, RandomValues random) throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    byte[] bytes = new byte[random.of(0, 1, 100, UNIT - 1, UNIT, UNIT + 1, 5 * UNIT + 7)];
    random.random().nextBytes(bytes);
    StagedFolder task = StagedFolder.ofTask(new LocalFolder(temporary), false);
    if (random.bool()) {
      writeAtOnce(task, name, bytes);
    } else {
      writeInPieces(task, name, bytes, random);
    }
    task.commit("00003", "blocks");
    return bytes;
  }

  private static void writeAtOnce(StagedFolder folder, String name, byte[] bytes)
      throws IOException {
    try (LocalSpool spool = folder.createSpool(name).orElseThrow()) {
      int half = bytes.length / 2;
      spool.write(half, ByteBuffer.wrap(bytes, half, bytes.length - half));
      spool.write(0, ByteBuffer.wrap(bytes, 0, half));
      spool.keep();
    }
  }

  private static void writeInPieces(
      StagedFolder folder, String name, byte[] bytes, RandomValues random) throws IOException {
    try (Output out = folder.create(name)) {
      for (int from = 0; from < bytes.length; ) {
        int some = random.intBetween(1, bytes.length - from);
        out.write(ByteBuffer.wrap(bytes, from, some));
        from += some;
      }
    }
  }

  private static void write(StagedFolder folder, String name, int... bytes) throws IOException {
    byte[] content = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      content[i] = (byte) bytes[i];
    }
    try (Output out = folder.create(name)) {
      out.write(ByteBuffer.wrap(content));
    }
  }

  private static byte[] read(Input file, long position, int length) throws IOException {
    ByteBuffer read = ByteBuffer.allocate(length);
    file.readFully(position, read);
    return read.array();
  }

  @Property(tries = 100)
  void whatWasWrittenIsRead(RandomValues random) throws IOException {
    byte[] bytes = write("blocks-00003", random);
    try (Input file = open().open("blocks-00003")) {
      assertThat(file.length()).isEqualTo(bytes.length);
      for (int i = 0; i < 20; i++) {
        int from = random.intBetween(0, bytes.length);
        int length = random.intBetween(0, bytes.length - from);
        assertThat(read(file, from, length))
            .isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
      }
      assertThat(read(file, 0, bytes.length)).isEqualTo(bytes);
    }
  }

  @Property(tries = 100, sample = 40)
  void aBitThatChangesIsFoundWhereverItIs(RandomValues random) throws IOException {
    byte[] bytes = write("blocks-00003", random);
    if (bytes.length == 0) {
      return;
    }
    int at = random.intBetween(0, bytes.length - 1);
    bytes[at] ^= (byte) (1 << random.intBetween(0, 7));
    Files.write(temporary.resolve("blocks-00003"), bytes);
    try (Input file = open().open("blocks-00003")) {
      int from = random.intBetween(0, at);
      int length = random.intBetween(at + 1 - from, bytes.length - from);
      ErrorAssertions.assertFails(
          StagedError.DAMAGED, temporary.resolve("blocks-00003"), () -> read(file, from, length));
    }
    assertThat(open().parts()).isEmpty();
    assertThat(open().takeDamaged()).containsExactly("blocks-00003");
    assertThat(open().takeDamaged()).isEmpty();
  }

  @Property(tries = 50)
  void anotherLengthIsFoundAtOnce(RandomValues random) throws IOException {
    byte[] bytes = write("blocks-00003", random);
    int length = bytes.length + (random.bool() || bytes.length == 0 ? 1 : -1);
    Files.write(temporary.resolve("blocks-00003"), Arrays.copyOf(bytes, length));
    List<String> warnings = new ArrayList<>();
    assertThat(open().complete()).isEmpty();
    ErrorAssertions.assertFailsWithAnyText(
        StagedError.DAMAGED,
        temporary.resolve("blocks-00003"),
        () -> open().open("blocks-00003").close());
    write("blocks-00003", random);
    Files.delete(temporary.resolve("blocks-00003"));
    assertThat(open().keepComplete(warnings::add)).isEmpty();
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith(temporary.resolve("blocks-00003") + ": is missing (expected ")
        .matches(".* bytes?\\); its part is staged again");
    assertThat(open().parts()).isEmpty();
  }

  @Property(tries = 100)
  void aRecordThatIsNotWholeIsNone(RandomValues random) throws IOException {
    write("blocks-00003", random);
    Path record = temporary.resolve("done-00003");
    byte[] whole = Files.readAllBytes(record);
    assertThat(StagedRecord.parse(whole)).hasValue(open().record("00003").orElseThrow());
    byte[] damaged = whole.clone();
    if (random.bool()) {
      damaged[random.intBetween(0, whole.length - 1)] ^= (byte) (1 << random.intBetween(0, 7));
    } else {
      damaged = Arrays.copyOf(whole, random.intBetween(0, whole.length - 1));
    }
    Files.write(record, damaged);
    List<String> warnings = new ArrayList<>();
    assertThat(open().keepComplete(warnings::add)).isEmpty();
    assertThat(warnings)
        .containsExactly(record + ": is not a complete record; its part is staged again");
    assertThat(record).doesNotExist();
  }

  @Test
  void theRecordOfAnotherVersionIsNone() throws IOException {
    StagedRecord own = new StagedRecord(ProgramVersion.text(), "rows", List.of());
    assertThat(StagedRecord.parse(own.toBytes())).hasValue(own);
    StagedRecord other = new StagedRecord("saev-hadoop 0 (commit a)", "rows", List.of());
    assertThat(StagedRecord.parse(other.toBytes())).isEmpty();
  }

  @Test
  void aFileThatNoRecordNamesIsNotOpened() throws IOException {
    write("blocks-00003", new RandomValues(1));
    Files.write(temporary.resolve("blocks-00004"), new byte[3]);
    Files.write(temporary.resolve("catalogue-00003"), new byte[3]);
    for (String name : List.of("blocks-00004", "catalogue-00003", "blocks-00005")) {
      ErrorAssertions.assertFails(
          StagedError.DAMAGED, temporary.resolve(name), () -> open().open(name).close());
      open().takeDamaged();
      write("blocks-00003", new RandomValues(1));
    }
    Files.write(temporary.resolve("blocks-00004"), new byte[3]);
    List<String> warnings = new ArrayList<>();
    assertThat(open().keepComplete(warnings::add)).containsOnlyKeys("00003");
    assertThat(warnings)
        .containsExactly(
            temporary.resolve("blocks-00004") + ": belongs to no complete part and is not read");
  }

  @Test
  void filesOfTheClientHaveARecordOfTheirOwnAndAreReplaced() throws IOException {
    StagedFolder folder = open();
    write(folder, "places-00003", 1, 2);
    write(folder, "plan", 3);
    folder.commit("joined", "joined");
    assertThat(folder.readSmall("places-00003", 9)).containsExactly(1, 2);
    write(folder, "plan", 4, 5);
    folder.commit("joined", "joined");
    assertThat(open().readSmall("plan", 9)).containsExactly(4, 5);
    assertThat(open().record("joined").orElseThrow().bytes()).isEqualTo(2);
  }

  /** As a comparison of a part that is staged to another folder needs it. */
  @Test
  void equalFilesHaveEqualRecordsAndOthersDoNot() throws IOException {
    List<List<StagedFile>> files = new ArrayList<>();
    for (int last : new int[] {7, 7, 8}) {
      Path folder = Files.createDirectory(temporary.resolve("folder" + files.size()));
      StagedFolder task = StagedFolder.ofTask(new LocalFolder(folder), true);
      write(task, "rows-0-4", 1, 2, last);
      task.commit("0-4", "rows");
      files.add(StagedFolder.of(new LocalFolder(folder)).complete().get("0-4").files());
    }
    assertThat(files.get(0)).isEqualTo(files.get(1)).isNotEqualTo(files.get(2));
  }
}
