package org.saevhadoop.format.torch.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Opcodes of pickles as torch.save writes them: texts in which a character is a byte. */
public final class TorchPickle {
  static final String NONE = "N";
  static final String FALSE = "\u0089";
  static final String TRUE = "\u0088";
  static final String HOOKS = call(global("collections", "OrderedDict"));

  private TorchPickle() {}

  /** Returns a pickle of protocol 2. */
  static byte[] bytes(String value) {
    return ("\u0080\2" + value + ".").getBytes(StandardCharsets.ISO_8859_1);
  }

  static String global(String module, String name) {
    return "c" + module + "\n" + name + "\n";
  }

  /** Returns a global of the module torch. */
  public static String torch(String name) {
    return global("torch", name);
  }

  /** Returns a function of torch._utils. */
  static String util(String name) {
    return global("torch._utils", name);
  }

  public static String text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return "X" + little(Integer.BYTES, utf8.length) + new String(utf8, StandardCharsets.ISO_8859_1);
  }

  public static String number(long value) {
    return "\u008a\u0008" + little(Long.BYTES, value);
  }

  static String real(double value) {
    byte[] bytes = ByteBuffer.allocate(Double.BYTES).putDouble(value).array();
    return "G" + new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String little(int width, long value) {
    byte[] bytes =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    return new String(bytes, 0, width, StandardCharsets.ISO_8859_1);
  }

  static String tuple(String... items) {
    return "(" + String.join("", items) + "t";
  }

  static String numbers(long... values) {
    return LongStream.of(values)
        .mapToObj(TorchPickle::number)
        .collect(Collectors.joining("", "(", "t"));
  }

  public static String list(String... items) {
    return "](" + String.join("", items) + "e";
  }

  /** Returns a dictionary of keys and values in turns. */
  public static String dict(String... items) {
    return "}(" + String.join("", items) + "u";
  }

  static String call(String function, String... args) {
    return function + tuple(args) + "R";
  }

  static String build(String object, String state) {
    return object + state + "b";
  }

  public static String storage(String type, String key, long count) {
    return tuple(text("storage"), type, text(key), text("cpu"), number(count)) + "Q";
  }

  /** Returns a storage of float32 values. */
  public static String floats(String key, long count) {
    return storage(torch("FloatStorage"), key, count);
  }

  public static String tensor(String storage, long offset, long[] size, long[] stride) {
    return call(
        util("_rebuild_tensor_v2"),
        storage,
        number(offset),
        numbers(size),
        numbers(stride),
        FALSE,
        HOOKS);
  }

  /** Returns a contiguous tensor of float32 values, those of a storage. */
  static String vector(String key, long count) {
    return tensor(floats(key, count), 0, new long[] {count}, new long[] {1});
  }

  /** Returns a contiguous tensor whose type has no storage of its own. */
  static String tensorV3(String storage, String type, long... size) {
    String[] args = {
      storage, number(0), numbers(size), numbers(strides(size)), FALSE, HOOKS, torch(type)
    };
    return call(util("_rebuild_tensor_v3"), args);
  }

  private static long[] strides(long[] size) {
    long[] strides = new long[size.length];
    long stride = 1;
    for (int i = size.length - 1; i >= 0; i--) {
      strides[i] = stride;
      stride *= size[i];
    }
    return strides;
  }

  /** Returns the texts one after another, each of which leaves nothing on the stack. */
  static String memo(List<String> values, String last) {
    StringBuilder pickle = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      pickle.append(values.get(i)).append('r').append(little(Integer.BYTES, i)).append('0');
    }
    return pickle + last;
  }

  /** Returns a value from the memo. */
  static String recall(int index) {
    return "j" + little(Integer.BYTES, index);
  }
}
