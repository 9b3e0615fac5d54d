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
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.samediff.sdnb.ArraySpec;
import org.saevhadoop.format.samediff.sdnb.SdnbLayout;
import org.saevhadoop.format.samediff.sdnb.SdnbType;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.torch.file.TorchFile;
import org.saevhadoop.format.torch.file.TorchPickle;

/** Containers of named arrays, as programs other than this one write them. */
enum OwnContainer {
  /** Holds one array without a name. */
  NPY(".npy") {
    @Override
    boolean takes(List<Map<String, Found>> files) {
      return files.stream().allMatch(file -> file.keySet().equals(Set.of(ArrayFile.UNNAMED)));
    }

    @Override
    byte[] bytes(Map<String, Found> arrays) throws IOException {
      return npy(arrays.get(ArrayFile.UNNAMED));
    }
  },
  /**
   * Values without a header next to a document, as crosscoder forks of dictionary_learning write.
   */
  MEMMAP(".memmap") {
    @Override
    boolean takes(List<Map<String, Found>> files) {
      return NPY.takes(files);
    }

    @Override
    byte[] bytes(Map<String, Found> arrays) {
      return arrays.get(ArrayFile.UNNAMED).bytes();
    }

    @Override
    void write(Path folder, String name, Map<String, Found> arrays) throws IOException {
      super.write(folder, name, arrays);
      Found only = arrays.get(ArrayFile.UNNAMED);
      String dtype = DType.valueOf(only.dtype()).numpyName();
      Files.writeString(
          folder.resolve(name + ".meta"),
          "{\"shape\": %s, \"dtype\": \"%s\"}".formatted(only.shape(), dtype));
    }
  },
  NPZ(".npz") {
    @Override
    byte[] bytes(Map<String, Found> arrays) throws IOException {
      return zip(npys(arrays), true);
    }
  },
  NPZ_DEFLATED(".npz") {
    @Override
    byte[] bytes(Map<String, Found> arrays) throws IOException {
      return zip(npys(arrays), false);
    }
  },
  TORCH(".pt") {
    @Override
    byte[] bytes(Map<String, Found> arrays) {
      return torch(arrays);
    }
  },
  /** A name that many programs use. */
  TORCH_BIN(".bin") {
    @Override
    byte[] bytes(Map<String, Found> arrays) {
      return torch(arrays);
    }
  },
  TORCH_PICKLE(".pkl") {
    @Override
    byte[] bytes(Map<String, Found> arrays) {
      return torch(arrays);
    }
  },
  SAFETENSORS(".safetensors") {
    @Override
    byte[] bytes(Map<String, Found> arrays) {
      List<String> entries = new ArrayList<>();
      ByteArrayOutputStream data = new ByteArrayOutputStream();
      arrays.forEach(
          (name, found) -> {
            int begin = data.size();
            data.writeBytes(found.bytes());
            entries.add(
                "\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}"
                    .formatted(name, found.dtype(), found.shape(), begin, data.size()));
          });
      byte[] header = ("{" + String.join(",", entries) + "}").getBytes(StandardCharsets.UTF_8);
      ByteBuffer file = ByteBuffer.allocate(Long.BYTES + header.length + data.size());
      file.order(ByteOrder.LITTLE_ENDIAN).putLong(header.length).put(header);
      return file.put(data.toByteArray()).array();
    }
  },
  SDNB(".sdnb") {
    @Override
    byte[] bytes(Map<String, Found> arrays) {
      return sdnb(arrays);
    }
  },
  SDZ(".sdz") {
    @Override
    byte[] bytes(Map<String, Found> arrays) throws IOException {
      return zip(Map.of("model.sdnb", sdnb(arrays)), true);
    }
  },
  SDZ_DEFLATED(".sdz") {
    @Override
    byte[] bytes(Map<String, Found> arrays) throws IOException {
      return zip(Map.of("model.sdnb", sdnb(arrays)), false);
    }
  };

  private final String ending;

  OwnContainer(String ending) {
    this.ending = ending;
  }

  /** Returns the ending of the names of files. */
  String ending() {
    return ending;
  }

  /** Returns whether such files can hold arrays of these names. */
  boolean takes(List<Map<String, Found>> files) {
    return true;
  }

  /** Returns the bytes of a file. */
  abstract byte[] bytes(Map<String, Found> arrays) throws IOException;

  /** Writes a file, to whose name the ending is added. */
  void write(Path folder, String name, Map<String, Found> arrays) throws IOException {
    Path file = folder.resolve(name + ending);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes(arrays));
  }

  private static byte[] npy(Found found) throws IOException {
    return OwnArrays.npy(DType.valueOf(found.dtype()), found.shape(), found.bytes());
  }

  private static Map<String, byte[]> npys(Map<String, Found> arrays) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    for (Map.Entry<String, Found> array : arrays.entrySet()) {
      entries.put(array.getKey() + ".npy", npy(array.getValue()));
    }
    return entries;
  }

  private static byte[] zip(Map<String, byte[]> entries, boolean isStored) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        ZipEntry head = new ZipEntry(entry.getKey());
        if (isStored) {
          CRC32 crc = new CRC32();
          crc.update(entry.getValue());
          head.setMethod(ZipEntry.STORED);
          head.setSize(entry.getValue().length);
          head.setCrc(crc.getValue());
        }
        zip.putNextEntry(head);
        zip.write(entry.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] torch(Map<String, Found> arrays) {
    List<String> items = new ArrayList<>();
    arrays.forEach(
        (name, found) -> {
          String key = Integer.toString(items.size() / 2);
          items.add(TorchPickle.text(name));
          items.add(tensor(key, found));
        });
    TorchFile file = TorchFile.of(TorchPickle.dict(items.toArray(String[]::new)));
    int next = 0;
    for (Found found : arrays.values()) {
      file.storage(Integer.toString(next++), found.bytes());
    }
    return file.bytes();
  }

  private static String tensor(String key, Found found) {
    long[] size = found.shape().stream().mapToLong(Long::longValue).toArray();
    long[] stride = new long[size.length];
    long elements = 1;
    for (int i = size.length - 1; i >= 0; i--) {
      stride[i] = elements;
      elements *= size[i];
    }
    String type =
        switch (found.dtype()) {
          case "F16" -> "HalfStorage";
          case "I64" -> "LongStorage";
          case "U8" -> "ByteStorage";
          default -> "FloatStorage";
        };
    String storage = TorchPickle.storage(TorchPickle.torch(type), key, elements);
    return TorchPickle.tensor(storage, 0, size, stride);
  }

  private static byte[] sdnb(Map<String, Found> arrays) {
    List<ArraySpec> specs = new ArrayList<>();
    arrays.forEach(
        (name, found) ->
            specs.add(
                new ArraySpec(
                    name, SdnbType.of(DType.valueOf(found.dtype())).orElseThrow(), found.shape())));
    SdnbLayout layout = SdnbLayout.of(specs, new TreeMap<>());
    ByteBuffer file = ByteBuffer.allocate((int) layout.length());
    file.put(layout.head());
    int next = 0;
    for (Found found : arrays.values()) {
      if (found.bytes().length > 0) {
        file.position((int) layout.offset(next)).put(found.bytes());
      }
      next++;
    }
    return file.position((int) layout.dataEnd()).put(layout.manifest()).array();
  }
}
