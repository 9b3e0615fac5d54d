package org.saevhadoop.format.samediff.sdnb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.samediff.sdnb.SdnbFile.OtherVariable;
import org.saevhadoop.format.samediff.sdnb.StoredArray.MemoryOrder;

/** Files that are read. */
class SdnbFileTest {
  private static SdnbFile read(byte[] bytes) throws IOException {
    return SdnbFile.read(new MemoryInput("x.sdnb", bytes));
  }

  private static byte[] at(byte[] bytes, StoredArray array) {
    byte[] values = new byte[(int) array.length()];
    System.arraycopy(bytes, (int) array.offset(), values, 0, values.length);
    return values;
  }

  @Test
  void inlineAndAppendedArraysAreFoundInBothOrders() throws IOException {
    SdnbForge forge = new SdnbForge();
    forge.add("inline").stub(2).inline(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    forge.add("first").stub(1, 1).appended(new byte[] {9, 8, 7, 6});
    forge.add("second").type(1).order(1).stub(3, 1).appended(new byte[] {1, 0, 1});
    byte[] bytes = forge.bytes();
    List<StoredArray> arrays = read(bytes).arrays();
    assertThat(arrays).extracting(StoredArray::name).containsExactly("inline", "first", "second");
    assertThat(arrays.get(2).order()).isEqualTo(MemoryOrder.F);
    assertThat(arrays.get(2).isContiguous()).isTrue();
    assertThat(arrays.get(2).type()).isEqualTo(SdnbType.BOOL);
    assertThat(at(bytes, arrays.get(0))).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(at(bytes, arrays.get(1))).containsExactly(9, 8, 7, 6);
    assertThat(at(bytes, arrays.get(2))).containsExactly(1, 0, 1);
  }

  @Test
  void aMatrixInFOrderIsNotContiguous() throws IOException {
    SdnbForge forge = new SdnbForge();
    forge.add("f").order(1).stub(2, 2).appended(new byte[16]);
    assertThat(read(forge.bytes()).arrays().get(0).isContiguous()).isFalse();
  }

  @Test
  void theOrderOfAnAppendedArrayWithoutDescriptionIsUnknown() throws IOException {
    SdnbForge forge = new SdnbForge();
    forge.add("old").shape(2, 1).appended(new byte[8]);
    assertThat(read(forge.bytes()).arrays())
        .singleElement()
        .satisfies(array -> assertThat(array.order()).isEqualTo(MemoryOrder.UNKNOWN))
        .satisfies(array -> assertThat(array.shape()).containsExactly(2L, 1L));
  }

  @Test
  void scalarsAndEmptyArraysAreArrays() throws IOException {
    SdnbForge forge = new SdnbForge();
    forge.add("scalar").stub().inline(new byte[4]);
    forge.add("empty").stub(0, 5);
    forge.add("huge and empty").stub(Long.MAX_VALUE, Long.MAX_VALUE, 0);
    assertThat(read(forge.bytes()).arrays())
        .extracting(StoredArray::length)
        .containsExactly(4L, 0L, 0L);
  }

  @Test
  void variablesWithoutValuesAreListed() throws IOException {
    SdnbForge forge = new SdnbForge();
    forge.add("x").kind(3).shape(-1, 8);
    forge.add("y").kind(2).type(99);
    assertThat(read(forge.bytes()).others())
        .containsExactly(
            new OtherVariable("x", VariableKind.PLACEHOLDER, SdnbType.FLOAT, List.of(-1L, 8L)),
            new OtherVariable("y", VariableKind.ARRAY, null, null));
  }

  @Test
  void aFileWithoutManifestHasNoAppendedArrays() throws IOException {
    SdnbForge forge = new SdnbForge();
    forge.add("a").stub(1).inline(new byte[4]);
    byte[] bytes = forge.bytes();
    Arrays.fill(bytes, 16, 24, (byte) 0);
    assertThat(read(bytes).arrays()).hasSize(1);
  }

  @Test
  void theVersionAndWhatFollowsTheManifestAreIgnored() throws IOException {
    SdnbForge forge = new SdnbForge().metadata("k", "wörld");
    byte[] bytes = Arrays.copyOf(forge.bytes(), forge.bytes().length + 10);
    bytes[7] = 9;
    assertThat(read(bytes).metadata()).containsEntry("k", "wörld");
  }

  @Test
  void partsOfAModelThatAreNotReadAreNamed() throws IOException {
    SdnbForge forge = new SdnbForge();
    forge.add("a").stub(1).inline(new byte[4]);
    assertThat(read(forge.bytes()).unread()).isEmpty();
    forge.operationCount = 1;
    assertThat(read(forge.bytes()).unread()).containsExactly("operations");
  }

  @Test
  void inlineArraysAreReadNeitherIntoMemoryNorAgain() throws IOException {
    SdnbForge forge = new SdnbForge();
    for (int i = 0; i < 40; i++) {
      forge.add("a" + i).stub(250_000).inline(new byte[1_000_000]);
    }
    byte[] bytes = forge.bytes();
    MemoryInput file = new MemoryInput("x.sdnb", bytes);
    assertThat(SdnbFile.read(file).arrays()).hasSize(40);
    assertThat(file.bytesRead()).isLessThan(10_000_000);
  }

  @Test
  void aHundredThousandArraysAreReadInOnePass() throws IOException {
    SdnbForge forge = new SdnbForge();
    for (int i = 0; i < 100_000; i++) {
      forge.add("layer_3/shard_" + i).stub(2).inline(new byte[8]);
    }
    byte[] bytes = forge.bytes();
    MemoryInput file = new MemoryInput("x.sdnb", bytes);
    assertThat(SdnbFile.read(file).arrays()).hasSize(100_000);
    assertThat(file.bytesRead()).isLessThan(2L * bytes.length);
  }
}
