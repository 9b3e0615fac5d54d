package org.saevhadoop.format.numpy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.numpy.file.HandMadeNpy.array;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.pickled.NumpyPickle;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.zip.HandMadeZip;
import org.saevhadoop.testing.Allocation;

/** Several arrays in a .npy file, and arrays of objects. */
class NpyFileTest {
  private static final byte[] FLOATS = array("<f4", "(2, 3)", 24);

  private final MemoryStorage folder = new MemoryStorage("data");

  private ArrayFile read(byte[]... parts) throws IOException {
    folder.put("x.npy", joined(parts));
    return new NumpyReader(null).read(folder, "x.npy");
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    List.of(parts).forEach(file::writeBytes);
    return file.toByteArray();
  }

  private static byte[] objects(String value) {
    return joined(array("|O", "()", 0), NumpyPickle.bytes(value));
  }

  @Test
  void arraysOneAfterAnotherAreNamedByTheirIndexes() throws IOException {
    ArrayFile file = read(FLOATS, array("<i8", "(2,)", 16), FLOATS);
    assertThat(file.arrays())
        .extracting(FileArray::name)
        .containsExactly("array.0", "array.1", "array.2");
    long last = file.arrays().get(2).layout().offset();
    assertThat(last).isEqualTo(joined(FLOATS, array("<i8", "(2,)", 16), FLOATS).length - 24);
    assertThat(file.warnings()).isEmpty();
  }

  @Test
  void oneArrayHasNoIndexAndOtherBytesAfterItAreAWarning() throws IOException {
    assertThat(read(FLOATS).arrays().get(0).name()).isEqualTo(ArrayFile.UNNAMED);
    ArrayFile file = read(FLOATS, new byte[7]);
    assertThat(file.arrays()).hasSize(1);
    assertThat(file.warnings()).containsExactly("the 7 bytes after the array are ignored");
    assertThat(read(FLOATS, FLOATS, new byte[7]).warnings())
        .containsExactly("the 7 bytes after the arrays are ignored");
  }

  @Test
  void arraysOfStringsAreLeftOut() throws IOException {
    ArrayFile file = read(FLOATS, array("<U3", "(1,)", 12), FLOATS);
    assertThat(file.arrays()).extracting(FileArray::name).containsExactly("array.0", "array.2");
    assertThat(file.warnings())
        .containsExactly(
            "array \"array.1\" contains strings, dtype '<U3' and is left out, as are others like"
                + " it");
  }

  @Test
  void aLaterArrayThatIsDamagedIsRefused() {
    assertFails(
        NpyError.TRUNCATED, "x.npy/array.1", () -> read(FLOATS, array("<f4", "(2, 3)", 23)));
    assertFails(
        NpyError.UNSUPPORTED, "x.npy/array.1", () -> read(FLOATS, array("|O", "(2, 3)", 23)));
  }

  @Test
  void arraysWithoutEndAreRefusedWithinMemory() {
    byte[][] many = new byte[NpyFile.MAX_ARRAYS + 1][];
    Arrays.fill(many, array("<f4", "(0,)", 0));
    folder.put("x.npy", joined(many));
    assertFails(
        NpyError.LIMIT_EXCEEDED,
        "x.npy",
        () -> Allocation.atMost(256 << 20, () -> new NumpyReader(null).read(folder, "x.npy")));
  }

  @Test
  void anArrayOfObjectsIsThePickleAfterItsHeader() throws IOException {
    String dict = NumpyPickle.dict(NumpyPickle.text("layer_3"), NumpyPickle.floats(2, 3));
    FileArray array = read(objects(dict)).arrays().get(0);
    assertThat(array.name()).isEqualTo("layer_3");
    byte[] file = objects(dict);
    assertThat(file[(int) array.layout().offset() + 5]).isEqualTo((byte) 5);
  }

  @Test
  void whatIsNoPickleOfArraysIsRefused() {
    assertFails(PickleError.NOT_A_PICKLE, "x.npy/objects", () -> read(array("|O", "(2, 3)", 48)));
    assertFails(NpyError.NO_ARRAYS, "x.npy", () -> read(objects(NumpyPickle.NONE)));
  }

  @Test
  void aSparseMatrixIsNamed() {
    HandMadeZip zip = new HandMadeZip();
    for (String name : List.of("indices", "indptr", "format", "shape", "data")) {
      zip.stored(name + ".npy", FLOATS);
    }
    folder.put("x.npz", zip.bytes());
    assertFails(NpyError.UNSUPPORTED, "x.npz", () -> new NumpyReader(null).read(folder, "x.npz"));
  }

  @Test
  void pickledFilesCountOnlyWhereNoOthersAre() {
    NumpyReader reader = new NumpyReader(null);
    assertThat(reader.named(List.of("a.npy", "b.pkl", "c.txt"))).containsExactly("a.npy");
    assertThat(reader.named(List.of("b.pkl", "c.pickle", "d.pkl.gz", "c.txt")))
        .containsExactly("b.pkl", "c.pickle", "d.pkl.gz");
  }
}
