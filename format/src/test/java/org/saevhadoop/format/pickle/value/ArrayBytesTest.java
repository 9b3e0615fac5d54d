package org.saevhadoop.format.pickle.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.read.MemoryPayloads;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class ArrayBytesTest {
  private static final List<Integer> SIZES = List.of(1, 2, 4, 8, 16);

  @Property
  void anyOrderComesOutInCsWhateverTheSizeOfThePieces(RandomValues any) throws IOException {
    long seed = any.seed();
    int dimensions = any.intBetween(0, 4);
    int size = any.intBetween(0, 4);
    boolean isBig = any.bool();
    int capacity = any.intBetween(1, 40);
    PayloadData.Form form = any.of(PayloadData.Form.class);
    Random random = new Random(seed);
    int itemSize = SIZES.get(size);
    long[] shape = new long[dimensions];
    int elements = 1;
    for (int i = 0; i < dimensions; i++) {
      shape[i] = random.nextInt(7);
      elements *= (int) shape[i];
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < dimensions; i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    int[] axes = order.stream().mapToInt(axis -> axis).toArray();
    byte[] raw = new byte[elements * itemSize];
    random.nextBytes(raw);
    char kind = itemSize == 16 ? 'c' : 'u';
    NumpyType type = new NumpyType(kind, itemSize, isBig, null);
    MemoryPayloads payloads = new MemoryPayloads(1 << 20);
    payloads.append(ByteBuffer.wrap(new byte[5]));
    PythonValue.NumpyArray array = new PythonValue.NumpyArray();
    array.build(type, shape, axes, stored(raw, form, payloads));
    ByteBuffer all = ByteBuffer.allocate(raw.length);
    new ArrayBytes(payloads, capacity * 16)
        .copy(
            array,
            piece -> {
              assertThat(piece.remaining()).isPositive().isLessThanOrEqualTo(capacity * 16);
              all.put(piece);
            });
    assertThat(all.array()).isEqualTo(naive(raw, shape, axes, type));
  }

  private static PayloadData stored(byte[] raw, PayloadData.Form form, MemoryPayloads payloads) {
    String text = new String(raw, StandardCharsets.ISO_8859_1);
    byte[] bytes =
        switch (form) {
          case RAW -> raw;
          case UTF8 -> text.getBytes(StandardCharsets.UTF_8);
          default -> text.replace("\\", "\\u005c").getBytes(StandardCharsets.ISO_8859_1);
        };
    long position = payloads.begin(0);
    payloads.append(ByteBuffer.wrap(bytes));
    return new PayloadData(null, position, bytes.length, form, raw.length);
  }

  /** Element after element, by the definition of {@link PythonValue.NumpyArray#axes}. */
  private static byte[] naive(byte[] raw, long[] shape, int[] axes, NumpyType type) {
    int item = type.itemSize();
    int unit = type.bigEndian() ? type.swapUnit() : 1;
    byte[] all = new byte[raw.length];
    for (int element = 0; element < raw.length / item; element++) {
      long[] index = new long[shape.length];
      for (int i = shape.length - 1, left = element; i >= 0; i--) {
        index[i] = left % shape[i];
        left /= (int) shape[i];
      }
      int at = 0;
      for (int place = 0; place < shape.length; place++) {
        for (int i = 0; i < shape.length; i++) {
          if (axes[i] == place) {
            at = at * (int) shape[i] + (int) index[i];
          }
        }
      }
      for (int b = 0; b < item; b++) {
        int turned = b / unit * unit + unit - 1 - b % unit;
        all[element * item + b] = raw[at * item + turned];
      }
    }
    return all;
  }
}
