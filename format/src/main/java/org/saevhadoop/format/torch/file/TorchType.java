package org.saevhadoop.format.torch.file;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.DType;

/**
 * An element type, {@code torch.dtype}.
 *
 * @param name the name of the global, such as {@code torch.float32}
 * @param width the size of an element in bytes
 * @param dtype the corresponding type in this project; null for types that are not read
 */
record TorchType(String name, int width, @Nullable DType dtype) {
  /** A storage class, such as {@code torch.FloatStorage}, as it appears in a pickle. */
  record StorageClass(TorchType elements) {}

  private static final Map<String, TorchType> TYPES = new HashMap<>();
  private static final Map<String, StorageClass> STORAGES = new HashMap<>();

  static {
    for (DType dtype : DType.values()) {
      if (dtype.bits() % Byte.SIZE == 0 && dtype != DType.C64) {
        add(dtype.numpyName(), dtype.bits() / Byte.SIZE, dtype);
      }
    }
    add("complex32", 4, null);
    add("complex64", 8, null);
    add("complex128", 16, null);
    add("float4_e2m1fn_x2", 1, null);
    for (String quantized : new String[] {"qint8", "quint8", "quint4x2", "quint2x4"}) {
      add(quantized, 1, null);
    }
    add("qint32", 4, null);
    addStorages(
        "Double float64 Float float32 Half float16 BFloat16 bfloat16 Long int64 Int int32"
            + " Short int16 Char int8 Byte uint8 Bool bool ComplexFloat complex64"
            + " ComplexDouble complex128 QInt8 qint8 QUInt8 quint8 QInt32 qint32"
            + " QUInt4x2 quint4x2 QUInt2x4 quint2x4");
    // the names in torch 2, and in torch 1.12 and 1.13; the elements of these storages are bytes
    StorageClass untyped = Objects.requireNonNull(STORAGES.get("torch.ByteStorage"));
    STORAGES.put("torch.storage.UntypedStorage", untyped);
    STORAGES.put("torch.storage._UntypedStorage", untyped);
  }

  private static void add(String name, int width, @Nullable DType dtype) {
    TYPES.put("torch." + name, new TorchType("torch." + name, width, dtype));
  }

  private static void addStorages(String pairs) {
    String[] names = pairs.split(" ");
    for (int i = 0; i < names.length; i += 2) {
      TorchType elements = Objects.requireNonNull(TYPES.get("torch." + names[i + 1]));
      STORAGES.put("torch." + names[i] + "Storage", new StorageClass(elements));
    }
  }

  /** Returns the type or storage class that a global names; null if it names neither. */
  static @Nullable Object find(String global) {
    TorchType type = TYPES.get(global);
    return type == null ? STORAGES.get(global) : type;
  }
}
