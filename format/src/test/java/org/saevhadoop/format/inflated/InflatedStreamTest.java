package org.saevhadoop.format.inflated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;
import static org.saevhadoop.format.numpy.file.HandMadeNpy.array;
import static org.saevhadoop.format.numpy.file.HandMadeNpy.header;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.arrays.MadeArrays;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.numpy.NpyFormat;
import org.saevhadoop.format.numpy.file.HandMadeNpy;
import org.saevhadoop.format.numpy.file.NumpyReader;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.zip.HandMadeZip;
import org.saevhadoop.format.zip.HandMadeZip.Part;
import org.saevhadoop.format.zip.ZipError;
import org.saevhadoop.format.zip.ZipWriter;
import org.saevhadoop.testing.Allocation;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** .npz files with compressed entries against the same files whose entries are stored. */
@Tag("sampled")
class InflatedStreamTest {
  private static final byte[] FLOATS = array("<f4", "(2, 3)", 24);

  private static final NpyFormat NUMPY = new NpyFormat();

  private final MemoryStorage folder = new MemoryStorage("data");
  private Folder inflated;

  private ArrayFile inflated(HandMadeZip zip) throws IOException {
    return inflated(zip.bytes());
  }

  private ArrayFile inflated(byte[] zip) throws IOException {
    folder.put("x.npz", zip);
    ArrayFile compressed = new NumpyReader(null).read(folder, "x.npz");
    inflated = Inflating.folder(NUMPY, folder, "x.npz", new MemoryStorage("staged"));
    ArrayFile file = new NumpyReader(null).inPlace().read(inflated, "x.npz");
    assertThat(file.warnings()).isEqualTo(compressed.warnings());
    return file;
  }

  private byte[] values(FileArray array) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) array.layout().length());
    try (Input archive = inflated.open("x.npz")) {
      archive.readFully(array.layout().offset(), bytes);
    }
    return bytes.array();
  }

  @Test
  void anArchiveHasItsArraysUnderTheirNamesAndInTheirOrder() throws IOException {
    ArrayFile file =
        inflated(
            new HandMadeZip()
                .deflated("b.npy", FLOATS)
                .stored("deep/a.npy", array(">f8", "(1,)", 8))
                .deflated("c.npy", array("<f4", "(0, 3)", 0)));
    assertThat(file.arrays().stream().map(FileArray::name)).containsExactly("b", "deep/a", "c");
    assertThat(values(file.arrays().get(0)))
        .isEqualTo(Arrays.copyOfRange(FLOATS, FLOATS.length - 24, FLOATS.length));
  }

  @Test
  void entriesThatAreNoArraysAreNotInflatedButReported() throws IOException {
    ArrayFile file =
        inflated(
            new HandMadeZip()
                .deflated("a.npy", FLOATS)
                .deflated("config.npy", array("|O", "(2,)", 50_000))
                .deflated("names.npy", array("<U3", "(2,)", 24))
                .deflated("README", new byte[5_000_000]));
    assertThat(file.warnings()).hasSize(3);
    try (Input archive = inflated.open("x.npz")) {
      assertThat(archive.length()).isLessThan(200_000);
    }
  }

  @Test
  void anArchiveIsInflatedInLittleMemory(@TempDir Path directory) throws IOException {
    int bytes = 60_000_000;
    byte[] zeros = new byte[bytes + 1000];
    byte[] head = array("<f4", "(15000000,)", 0);
    System.arraycopy(head, 0, zeros, 0, head.length);
    byte[] npy = Arrays.copyOf(zeros, head.length + bytes);
    folder.put("x.npz", new HandMadeZip().deflated("a.npy", npy).bytes());
    Allocation.atMost(
        8 << 20, () -> Inflating.folder(NUMPY, folder, "x.npz", new LocalFolder(directory)));
  }

  @Test
  void entriesOfALargeArchiveAreInflatedByDifferentParts() throws IOException {
    byte[] random = new byte[20_000_000];
    new Random(1).nextBytes(random);
    byte[] npy = array("<i4", "(5000000,)", random.length);
    System.arraycopy(random, 0, npy, npy.length - random.length, random.length);
    MemoryOutput zip = new MemoryOutput("x.npz");
    try (ZipWriter writer = new ZipWriter(zip, 1, NumpyReader.ENTRIES)) {
      HandMadeZip.addDeflated(writer, "a.npy", npy);
      HandMadeZip.addDeflated(writer, "b.npy", npy);
      HandMadeZip.addDeflated(writer, "c.npy", FLOATS);
    }
    ArrayFile file = inflated(zip.bytes());
    Location location = Location.of(folder, "x.npz");
    assertThat(NUMPY.stream().orElseThrow().parts(location, Settings.NONE))
        .extracting(part -> part.firstEntry() + " to " + part.endEntry())
        .containsExactly("0 to 1", "1 to 3");
    assertThat(file.arrays().stream().map(FileArray::name)).containsExactly("a", "b", "c");
    assertThat(values(file.arrays().get(1))).isEqualTo(random);
  }

  @Test
  void anArchiveWithoutCompressedArraysIsReadWhereItIs() throws IOException {
    byte[] zip = new HandMadeZip().stored("a.npy", FLOATS).deflated("README", FLOATS).bytes();
    folder.put("x.npz", zip);
    assertThat(Inflating.isNeeded(NUMPY, Location.of(folder, "x.npz"))).isFalse();
    MemoryStorage staged = new MemoryStorage("staged");
    try (Input archive = Inflating.folder(NUMPY, folder, "x.npz", staged).open("x.npz")) {
      assertThat(archive.length()).isEqualTo(zip.length);
    }
    assertThat(staged.files()).containsEntry("inflated-00000", 0L);
  }

  private void refused(ErrorKind kind, String path, byte[] npy, Consumer<Part> change) {
    HandMadeZip zip = new HandMadeZip().stored("a.npy", FLOATS).deflated("b.npy", npy).part(change);
    // positions depend on the compressor of the JDK
    assertFailsWithAnyText(kind, path, () -> inflated(zip));
  }

  @Test
  void dataThatIsNotWhatItsHeadersDeclareIsRefused() {
    refused(ZipError.CRC_MISMATCH, "x.npz", FLOATS, p -> p.crc++);
    refused(ZipError.SIZE_MISMATCH, "x.npz", array("<f4", "(2, 9)", 24), p -> p.size += 48);
    refused(ZipError.SIZE_MISMATCH, "x.npz", array("<f4", "(2, 9)", 80), p -> p.size -= 8);
    refused(NpyError.WRONG_LENGTH, "x.npz/b.npy", array("<f4", "(2, 3)", 1000), p -> {});
    refused(NpyError.TRUNCATED, "x.npz/b.npy", array("<f4", "(2, 9)", 24), p -> {});
    refused(
        ZipError.BAD_DATA,
        "x.npz",
        array("<f4", "(100000,)", 400_000),
        p -> Arrays.fill(p.data, 5000, p.data.length, (byte) -1));
  }

  @Test
  void theSizesOfAnEntryMayBeInAZip64Field() throws IOException {
    ArrayFile file =
        inflated(
            new HandMadeZip()
                .deflated("b.npy", FLOATS)
                .part(
                    p -> {
                      p.extra = HandMadeZip.zip64(p.size, p.compressedSize);
                      p.localExtra = p.extra;
                      p.size = 0xffffffffL;
                      p.compressedSize = 0xffffffffL;
                    }));
    assertThat(file.arrays().get(0).shape()).containsExactly(2L, 3L);
  }

  /** Two datasets of the same values: one whose entries are stored, one with compressed entries. */
  private static final class Twins {
    final MemoryStorage stored = new MemoryStorage("data");
    final MemoryStorage mixed = new MemoryStorage("data");

    void add(@Nullable String below, String name, List<byte[]> arrays, RandomValues any) {
      HandMadeZip plain = new HandMadeZip();
      HandMadeZip zip = new HandMadeZip();
      for (int i = 0; i < arrays.size(); i++) {
        String entry = "blocks." + i + ".hook.npy";
        plain.stored(entry, arrays.get(i));
        if (any.bool()) {
          zip.stored(entry, arrays.get(i));
        } else {
          zip.deflated(entry, arrays.get(i));
        }
      }
      folder(stored, below).put(name, plain.bytes());
      folder(mixed, below).put(name, zip.bytes());
    }

    private static MemoryStorage folder(MemoryStorage root, @Nullable String below) {
      return below == null ? root : root.makeFolder("run").makeFolder(below);
    }
  }

  @Property(tries = 200, sample = 60)
  void aDatasetOfInflatedArchivesIsThatOfStoredOnes(RandomValues any) throws IOException {
    boolean below = any.bool();
    int layers = any.intBetween(1, 3);
    String shape = ", %d, %d)".formatted(any.intBetween(1, 3), any.intBetween(1, 4));
    int width =
        shape.chars().filter(Character::isDigit).map(c -> c - '0').reduce(1, (a, b) -> a * b);
    boolean fortran = any.bool();
    Twins twins = new Twins();
    for (int i = 0, files = any.intBetween(1, 4); i < files; i++) {
      int examples = any.intBetween(1, 3);
      String head = header(any.bool() ? "<f4" : ">f4", fortran, "(" + examples + shape);
      List<byte[]> arrays = new ArrayList<>();
      for (int layer = 0; layer < layers; layer++) {
        byte[] npy = HandMadeNpy.file(1 + any.intBetween(0, 2), head, 4 * examples * width);
        npy[npy.length - 1] = (byte) (16 * layer + i); // no two arrays are the same
        arrays.add(npy);
      }
      // as names, 9 comes after 10
      twins.add(below ? "part" + (9 + i) : null, "acts" + (9 + i) + ".npz", arrays, any);
    }
    Settings settings =
        below
            ? Settings.NONE.with(
                ArrayKeys.FILES, NamePattern.parse("run/part{shard}/acts{example}.npz"))
            : Settings.NONE;
    ActivationDataset expected =
        NUMPY.open(Location.of(twins.stored), settings, ProvenanceReader.NONE).requireActivations();
    MemoryStorage staged = new MemoryStorage("staged");
    ActivationDataset dataset =
        Inflating.open(NUMPY, Location.of(twins.mixed), settings, staged).requireActivations();
    assertThat(dataset.geometry()).isEqualTo(expected.geometry());
    assertThat(dataset.shards().list()).isEqualTo(expected.shards().list());
    assertThat(MadeArrays.blocks(dataset)).isEqualTo(MadeArrays.blocks(expected));
  }
}
