package org.saevhadoop.format.torch.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.io.MemoryStorage;

/** A file as torch.save writes it, unless a test changes an entry. */
public final class TorchFile {
  static final String NAME = "acts.pt";

  private static final String PREFIX = "archive/";

  private final Map<String, byte[]> entries = new LinkedHashMap<>();
  private final Set<String> deflated = new HashSet<>();

  /** Creates a file of a pickle, which {@link TorchPickle} makes. */
  public static TorchFile of(String value) {
    return of(TorchPickle.bytes(value));
  }

  static TorchFile of(byte[] pickle) {
    return new TorchFile().with("data.pkl", pickle).with("version", ascii("3\n"));
  }

  /** Creates a file of a pickle with the storages 0 and 1, each of 6 float32 values. */
  static TorchFile withTwoStorages(String value) {
    return of(value).storage("0", bytes(24)).storage("1", bytes(24));
  }

  /** Adds an entry to the folder. */
  TorchFile with(String name, byte[] content) {
    return withEntry(PREFIX + name, content);
  }

  /** Adds an entry anywhere. */
  TorchFile withEntry(String name, byte[] content) {
    entries.put(name, content);
    return this;
  }

  TorchFile without(String name) {
    entries.remove(PREFIX + name);
    return this;
  }

  public TorchFile storage(String key, byte[] content) {
    return with("data/" + key, content);
  }

  /** Compresses an entry. */
  TorchFile deflate(String name) {
    deflated.add(PREFIX + name);
    return this;
  }

  /** Returns bytes that differ from one another. */
  static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i * 7 + 1);
    }
    return bytes;
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  public byte[] bytes() {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(file)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        ZipEntry header = new ZipEntry(entry.getKey());
        header.setMethod(deflated.contains(entry.getKey()) ? ZipEntry.DEFLATED : ZipEntry.STORED);
        header.setTime(0);
        header.setSize(entry.getValue().length);
        header.setCrc(crc(entry.getValue()));
        zip.putNextEntry(header);
        zip.write(entry.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file.toByteArray();
  }

  static long crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }

  ArrayFile read() throws IOException {
    return read(bytes());
  }

  static ArrayFile read(byte[] file) throws IOException {
    return new TorchReader().read(folder(file), NAME);
  }

  /** Returns the elements of an array in C order, as they are stored. */
  byte[] elements(FileArray array) throws IOException {
    return elements(bytes(), array, (int) array.layout().length());
  }

  /** Returns the first elements of an array. */
  static byte[] elements(byte[] file, FileArray array, int count) throws IOException {
    MemoryStorage folder = folder(file);
    ByteBuffer elements = ByteBuffer.allocate(count);
    try (GatheredInput<String> input =
        new GatheredInput<>(
            NAME,
            path -> new TorchReader().elements(folder, path, array.name()),
            List.of(new StoredElements<>(NAME, array.layout())))) {
      input.readFully(0, elements);
    }
    return elements.array();
  }

  private static MemoryStorage folder(byte[] file) {
    MemoryStorage folder = new MemoryStorage("memory");
    folder.put(NAME, file);
    return folder;
  }
}
