package org.saevhadoop.converters.arrays;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.numpy.header.NpyHeader;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.torch.file.TorchFile;
import org.saevhadoop.format.torch.file.TorchPickle;

/** Writes the layers of a dataset of float32 as scripts save arrays. */
public final class OwnArrays {
  private OwnArrays() {}

  /** Writes a file layer_&lt;l&gt;.npy for each layer to a folder, which is returned. */
  public static Path npy(Map<String, Found> layers, Path folder) throws IOException {
    return npy(layers, folder, "layer_%s.npy");
  }

  /** Writes a file for each layer, whose path has the number of the layer. */
  static Path npy(Map<String, Found> layers, Path folder, String form) throws IOException {
    for (Map.Entry<String, Found> layer : layers.entrySet()) {
      if (layer.getKey().startsWith("layer_")) {
        String path = form.formatted(layer.getKey().substring("layer_".length()));
        Found values = layer.getValue();
        writeNpy(folder.resolve(path), DType.F32, values.shape(), values.bytes());
      }
    }
    return folder;
  }

  /** Writes a .npz file with a compressed array for each layer, as numpy.savez_compressed does. */
  public static Path npz(Map<String, Found> layers, Path file) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    for (Map.Entry<String, Found> layer : layers.entrySet()) {
      if (layer.getKey().startsWith("layer_")) {
        Found values = layer.getValue();
        entries.put(layer.getKey(), npy(DType.F32, values.shape(), values.bytes()));
      }
    }
    return zip(file, entries);
  }

  /** Writes a .npz file with compressed entries, which are .npy files. */
  static Path zip(Path file, Map<String, byte[]> entries) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey() + ".npy"));
        zip.write(entry.getValue());
      }
    }
    return file;
  }

  /** Writes a .npy file. */
  public static void writeNpy(Path file, DType dtype, List<Long> shape, byte[] values)
      throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, npy(dtype, shape, values));
  }

  /** Returns a .npy file. */
  static byte[] npy(DType dtype, List<Long> shape, byte[] values) throws IOException {
    NumpyType type = NumpyType.of(dtype).orElseThrow();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(NpyHeader.encode("array", type, false, shape));
    out.writeBytes(values);
    return out.toByteArray();
  }

  /** Writes a file of torch.save with a dictionary of a tensor for each layer. */
  public static Path torch(Map<String, Found> layers, Path file) throws IOException {
    List<String> items = new ArrayList<>();
    List<byte[]> storages = new ArrayList<>();
    for (Map.Entry<String, Found> layer : layers.entrySet()) {
      if (layer.getKey().startsWith("layer_")) {
        List<Long> shape = layer.getValue().shape();
        long[] size = shape.stream().mapToLong(Long::longValue).toArray();
        long[] stride = new long[size.length];
        long elements = 1;
        for (int i = size.length - 1; i >= 0; i--) {
          stride[i] = elements;
          elements *= size[i];
        }
        String storage = TorchPickle.floats(Integer.toString(storages.size()), elements);
        items.add(TorchPickle.text(layer.getKey()));
        items.add(TorchPickle.tensor(storage, 0, size, stride));
        storages.add(layer.getValue().bytes());
      }
    }
    TorchFile torch = TorchFile.of(TorchPickle.dict(items.toArray(String[]::new)));
    for (int i = 0; i < storages.size(); i++) {
      torch.storage(Integer.toString(i), storages.get(i));
    }
    return Files.write(file, torch.bytes());
  }

  /** Writes a file of safetensors as vLLM does for a request, with float32 in place of bfloat16. */
  public static void writeSafetensors(Path file, int tokens, int layers, int dim, float... values)
      throws IOException {
    int end = values.length * Float.BYTES;
    String header =
        """
        {"hidden_states":{"dtype":"F32","shape":[%d,%d,%d],"data_offsets":[0,%d]},\
        "token_ids":{"dtype":"I64","shape":[%d],"data_offsets":[%d,%d]}}"""
            .formatted(tokens, layers, dim, end, tokens, end, end + tokens * Long.BYTES);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        ByteBuffer.allocate(Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(header.length())
            .array());
    out.writeBytes(header.getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(bytes(values));
    out.writeBytes(new byte[tokens * Long.BYTES]);
    Files.write(file, out.toByteArray());
  }

  /** Writes a file of safetensors with tensors of float32 zeros of the same shape. */
  static void writeTensors(Path file, List<String> names, List<Long> shape) throws IOException {
    writeTensors(file, DType.F32, names, shape);
  }

  /** Writes zeros of a type. */
  public static void writeTensors(Path file, DType dtype, List<String> names, List<Long> shape)
      throws IOException {
    long bytes = shape.stream().reduce(1L, (a, b) -> a * b) * dtype.bits() / Byte.SIZE;
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      entries.add(
          "\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}"
              .formatted(names.get(i), dtype, shape, i * bytes, (i + 1) * bytes));
    }
    byte[] header = ("{" + String.join(",", entries) + "}").getBytes(StandardCharsets.US_ASCII);
    ByteBuffer content =
        ByteBuffer.allocate((int) (Long.BYTES + header.length + names.size() * bytes));
    content.order(ByteOrder.LITTLE_ENDIAN).putLong(header.length).put(header);
    Files.write(file, content.array());
  }

  static byte[] bytes(float... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES);
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return bytes.array();
  }
}
