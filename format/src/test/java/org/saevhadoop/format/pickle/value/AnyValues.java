package org.saevhadoop.format.pickle.value;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.LongStream;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.testing.RandomValues;

/** Values of all kinds, and what makes two of them equal. */
public final class AnyValues {
  private AnyValues() {}

  public static Object value(RandomValues any) {
    return value(any, 3);
  }

  private static Object value(RandomValues any, int depth) {
    if (depth == 0) {
      return simple(any);
    }
    return any.oneOf(
        () -> simple(any),
        () -> simple(any),
        () -> list(items(any, depth)),
        () -> new PythonValue.Tuple(items(any, depth)),
        () -> new PythonValue.PySet(any.bool(), keys(any)),
        () -> dict(keys(any), items(any, depth), any.of(PythonValue.Dict.Kind.class)),
        () ->
            dict(
                any.distinct(0, 5, name -> name, () -> name(any)),
                items(any, depth),
                PythonValue.Dict.Kind.DICT));
  }

  private static List<Object> items(RandomValues any, int depth) {
    return any.list(0, 5, () -> value(any, depth - 1));
  }

  public static PythonValue.PyList list(List<?> items) {
    PythonValue.PyList list = new PythonValue.PyList();
    items.forEach(list::add);
    return list;
  }

  public static PythonValue.Dict dict(List<?> keys, List<?> values, PythonValue.Dict.Kind kind) {
    PythonValue.Dict dict = new PythonValue.Dict(kind);
    for (int i = 0; i < Math.min(keys.size(), values.size()); i++) {
      dict.append(keys.get(i), values.get(i));
    }
    return dict;
  }

  static PythonValue.NumpyArray array(NumpyType type, long[] shape, boolean fortran, byte[] bytes) {
    PythonValue.NumpyArray array = new PythonValue.NumpyArray();
    array.build(type, shape, fortran, PayloadData.of(bytes));
    return array;
  }

  private static Object simple(RandomValues any) {
    return any.oneOf(
        () -> hashable(any),
        any::bool,
        any::anyLong,
        () -> any.of(Long.MIN_VALUE, Long.MAX_VALUE, -1L, 255L, 256L, 65_535L, 65_536L, 1L << 31),
        any::anyDouble,
        () -> any.of(-0.0, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 0.1, 1e300),
        () -> Double.longBitsToDouble(any.of(0x7ff0000000000001L, 0xfff8000000000000L)),
        () -> new PythonValue.ByteArray(PayloadData.of(any.bytes(0, 300))),
        () -> texts(any.bytes(0, 100)),
        () -> type(any),
        () -> array(any));
  }

  private static List<Object> keys(RandomValues any) {
    return any.distinct(
        0,
        5,
        AnyValues::line,
        () ->
            any.oneOf(
                () -> hashable(any),
                () -> new PythonValue.Tuple(any.list(0, 4, () -> hashable(any)))));
  }

  /** What Python takes as keys, and no two of them equal unless they are the same. */
  private static Object hashable(RandomValues any) {
    return any.oneOf(
        () -> null,
        () -> name(any),
        () -> any.longBetween(2, Long.MAX_VALUE),
        () -> any.filtered(() -> any.bigInteger(3000), value -> value.bitLength() > 63),
        () -> new PythonValue.Bytes(PayloadData.of(any.bytes(0, 300))));
  }

  private static String name(RandomValues any) {
    return any.oneOf(
        () -> String.join("", any.list(0, 8, () -> oddLetter(any))),
        () -> any.of("sample_idx", "metadata", "$tuple", "", "x".repeat(255), "é".repeat(128)),
        () -> any.textOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 0, 70));
  }

  private static String oddLetter(RandomValues any) {
    return any.of("a", "$", "\ud83d", "\ude00", "\ud83d\ude00", "\u00e9", "\0", "\n", "\"", "\\");
  }

  /** Texts of a pickle that are still as they stand there. */
  private static Object texts(byte[] bytes) {
    byte[] utf8 = SurrogatePass.encode(HexFormat.of().formatHex(bytes) + "é\ud800");
    return new PythonValue.Text(new PayloadData(utf8, 0, utf8.length, PayloadData.Form.UTF8));
  }

  private static NumpyType type(RandomValues any) {
    return parse(
        any.of(
            "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64"
                .split(" ")));
  }

  private static NumpyType parse(String name) {
    return NumpyType.named(name).orElseThrow();
  }

  private static Object array(RandomValues any) {
    NumpyType type =
        any.oneOf(
            () -> type(any),
            () -> parse(any.of("complex64", "complex128", ">i2", ">f4", ">f8", "S3", "U2", ">U2")));
    return randomArray(type, any.longs(0, 4, 0, 4), any.bool(), any.anyLong());
  }

  private static Object randomArray(NumpyType type, long[] shape, boolean fortran, long seed) {
    int count = (int) LongStream.of(shape).reduce(1, (a, b) -> a * b);
    byte[] bytes = new byte[count * type.itemSize()];
    new java.util.Random(seed).nextBytes(bytes);
    if (type.kind() == 'U' || type.kind() == 'b') {
      Arrays.fill(bytes, (byte) 0);
    }
    return array(type, shape, fortran, bytes);
  }

  public static PythonValue.NumpyScalar scalar(RandomValues any) {
    NumpyType type = type(any);
    long bits = any.anyLong();
    byte[] bytes = new byte[type.itemSize()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (bits >> i * 8);
    }
    if (type.kind() == 'b') {
      bytes[0] &= 1;
    }
    return new PythonValue.NumpyScalar(type, bytes);
  }

  private static String line(Object value) {
    try {
      return PyJson.write("value", value, null, Integer.MAX_VALUE);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Java's own objects that are equal where Python's would be, and of the same types. */
  public static Object comparable(Object value) throws Exception {
    if (value instanceof Double number) {
      return "float " + Double.doubleToRawLongBits(number);
    } else if (value instanceof PythonValue.Text text) {
      byte[] utf8 = PayloadContent.utf8("value", text.data(), null, Long.MAX_VALUE);
      return PayloadContent.text("value", utf8).orElseThrow();
    } else if (value instanceof PythonValue.Bytes bytes) {
      return List.of("bytes", HexFormat.of().formatHex(bytes.data().inline()));
    } else if (value instanceof PythonValue.ByteArray bytes) {
      return List.of("bytearray", HexFormat.of().formatHex(bytes.data().inline()));
    } else if (value instanceof PythonValue.NumpyScalar scalar) {
      return List.of(scalar.type(), HexFormat.of().formatHex(scalar.bytes()));
    } else if (value instanceof PythonValue.NumpyArray array) {
      return List.of(array.type().code(), Arrays.toString(array.shape()), elements(array));
    } else if (value instanceof PythonValue.Tuple tuple) {
      return List.of("tuple", all(tuple.items()));
    } else if (value instanceof PythonValue.PySet set) {
      return List.of(set.frozen(), new LinkedHashSet<>(all(set.items())));
    } else if (value instanceof PythonValue.PyList list) {
      return all(list.items());
    } else if (value instanceof PythonValue.Dict dict) {
      List<Object> items = new ArrayList<>(List.of(dict.kind()));
      for (int i = 0; i < dict.size(); i++) {
        items.add(comparable(dict.key(i)));
        items.add(comparable(dict.value(i)));
      }
      return items;
    }
    return value;
  }

  /** Little-endian and in C's order: numpy turns them when it reads a pickle. */
  private static String elements(PythonValue.NumpyArray array) {
    byte[] bytes;
    try {
      bytes = ArrayBytes.rowMajor(array, array.data().inline()).clone();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    NumpyType type = array.type();
    int number = type.kind() == 'c' ? type.itemSize() / 2 : type.itemSize();
    number = type.kind() == 'U' ? Integer.BYTES : number;
    if (type.bigEndian()) {
      byte[] big = bytes.clone();
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = big[i / number * number + number - 1 - i % number];
      }
    }
    return HexFormat.of().formatHex(bytes);
  }

  private static List<Object> all(List<Object> items) throws Exception {
    List<Object> all = new ArrayList<>();
    for (Object item : items) {
      all.add(comparable(item));
    }
    return all;
  }
}
