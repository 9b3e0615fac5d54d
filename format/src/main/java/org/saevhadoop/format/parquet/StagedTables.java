package org.saevhadoop.format.parquet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.gather.BufferInput;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.safetensors.dataset.SafetensorsArrays;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;

/**
 * A folder whose Parquet files are read from staged row groups: each file appears as a safetensors
 * file, in which a column of all its row groups is one tensor. Threads may share it.
 */
final class StagedTables extends ForwardingFolder {
  private static final String DOCUMENT = "_tables.json";
  private static final String PART = "groups-%05d";
  private static final String WARNINGS = "saev.staged.warnings";

  /** The name of the header among the names of files, which are never empty. */
  private static final String HEADER = "";

  private final Parts parts;
  private final String prefix;

  /**
   * The document of a folder of staged row groups.
   *
   * @param source the path of the folder of the dataset
   * @param file the name of the file that is the dataset; null if the folder is
   * @param settings the settings of the format, by the names of their keys
   * @param parts the paths of the files of each part, relative to the folder of the dataset
   */
  record Document(
      String source,
      @Nullable String file,
      Map<String, String> settings,
      List<List<String>> parts) {
    void write(Folder staged) throws IOException {
      Jackson.write(staged, DOCUMENT, this);
    }

    static Document read(Folder staged) throws IOException {
      return Jackson.read(staged, DOCUMENT, Document.class);
    }

    Location open(Folder staged, Storage storage) throws IOException {
      Folder folder =
          new StagedTables(storage.locate(source).folder(), new Parts(staged, parts), "");
      return file == null ? Location.of(folder) : Location.of(folder, file);
    }
  }

  /**
   * The row groups of a part.
   *
   * @param groups the row groups, file by file
   */
  record Part(List<StagedGroup> groups) {
    void write(Folder staged, int number) throws IOException {
      Jackson.write(staged, PART.formatted(number), this);
    }

    static Part read(Folder staged, int number) throws IOException {
      return Jackson.read(staged, PART.formatted(number), Part.class);
    }
  }

  /** The parts in a folder. The most recently used ones stay in memory. */
  private static final class Parts {
    private static final int MAX_KEPT = 64;

    private final Folder staged;
    private final Map<String, List<Integer>> numbers = new HashMap<>();
    private final Map<Integer, Part> kept =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Integer, Part> eldest) {
            return size() > MAX_KEPT;
          }
        };

    Parts(Folder staged, List<List<String>> files) {
      this.staged = staged;
      for (int i = 0; i < files.size(); i++) {
        for (String file : files.get(i)) {
          numbers.computeIfAbsent(file, unknown -> new ArrayList<>(1)).add(i);
        }
      }
    }

    /** Returns the row groups of a file; empty if it is not staged. */
    synchronized Optional<List<StagedGroup>> of(String file) throws IOException {
      List<StagedGroup> groups = new ArrayList<>();
      List<Integer> found = numbers.getOrDefault(file, List.of());
      for (int number : found) {
        Part part = kept.get(number);
        if (part == null) {
          part = Part.read(staged, number);
          kept.put(number, part);
        }
        part.groups.stream().filter(group -> group.path().equals(file)).forEach(groups::add);
      }
      groups.sort(StagedGroup.ORDER);
      return found.isEmpty() ? Optional.empty() : Optional.of(groups);
    }
  }

  private StagedTables(Folder folder, Parts parts, String prefix) {
    super(folder);
    this.parts = parts;
    this.prefix = prefix;
  }

  @Override
  public Optional<Folder> folder(String name) throws IOException {
    return folder().folder(name).map(below -> new StagedTables(below, parts, prefix + name + "/"));
  }

  @Override
  public Input open(String name) throws IOException {
    Optional<List<StagedGroup>> groups = parts.of(prefix + name);
    return groups.isEmpty() ? folder().open(name) : open(folder().path(name), groups.get());
  }

  private Input open(String path, List<StagedGroup> groups) throws IOException {
    List<StoredElements<String>> pieces = new ArrayList<>();
    ByteBuffer header = header(groups);
    add(pieces, HEADER, 0, header.remaining());
    for (String array : arrays(groups).keySet()) {
      for (StagedGroup group : groups) {
        long offset = group.offset();
        for (StagedGroup.StagedArray own : group.arrays()) {
          long bytes = own.rowBytes() * group.rows();
          if (own.name().equals(array)) {
            add(pieces, group.data(), offset, bytes);
          }
          offset += bytes;
        }
      }
    }
    return new GatheredInput<>(
        path,
        file -> file.equals(HEADER) ? new BufferInput(path, header) : parts.staged.open(file),
        pieces);
  }

  private static void add(
      List<StoredElements<String>> pieces, String file, long offset, long bytes) {
    if (bytes > 0) {
      pieces.add(new StoredElements<>(file, StridedLayout.contiguous(offset, bytes)));
    }
  }

  /** Returns the arrays of all row groups of a file by their names, in their order. */
  private static Map<String, StagedGroup.StagedArray> arrays(List<StagedGroup> groups) {
    Map<String, StagedGroup.StagedArray> arrays = new LinkedHashMap<>();
    groups.forEach(group -> group.arrays().forEach(own -> arrays.putIfAbsent(own.name(), own)));
    return arrays;
  }

  /** Returns the header of the safetensors file, after its length. */
  private static ByteBuffer header(List<StagedGroup> groups) throws IOException {
    ObjectNode header = Jackson.MAPPER.createObjectNode();
    if (!groups.isEmpty()) {
      String warnings = Jackson.MAPPER.writeValueAsString(groups.get(0).warnings());
      header.putObject("__metadata__").put(WARNINGS, warnings);
    }
    long begin = 0;
    for (StagedGroup.StagedArray array : arrays(groups).values()) {
      long rows =
          groups.stream()
              .filter(group -> group.has(array.name()))
              .mapToLong(StagedGroup::rows)
              .sum();
      ObjectNode tensor = header.putObject(array.name());
      ArrayNode shape = tensor.put("dtype", array.dtype().name()).putArray("shape").add(rows);
      array.row().forEach(shape::add);
      long end = begin + array.rowBytes() * rows;
      tensor.putArray("data_offsets").add(begin).add(end);
      begin = end;
    }
    byte[] json = Jackson.MAPPER.writeValueAsBytes(header);
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + json.length).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.putLong(json.length).put(json).flip();
  }

  /** Reads the files of such a folder. */
  record Reader(ParquetReader names, SafetensorsArrays tensors) implements ArrayReader {
    static Reader of(ParquetReader names) {
      return new Reader(names, new SafetensorsArrays(HeaderStrictness.STRICT));
    }

    @Override
    public boolean isNamed(String file) {
      return names.isNamed(file);
    }

    @Override
    public ArrayFile read(Folder folder, String file) throws IOException {
      ArrayFile content = tensors.read(folder, file);
      if (content.arrays().isEmpty()) {
        return ArrayFile.NO_EXAMPLES;
      }
      Object warnings = content.values().get(WARNINGS);
      return new ArrayFile(
          content.arrays(),
          Map.of(),
          List.of(),
          warnings instanceof String text
              ? List.of(Jackson.MAPPER.readValue(text, String[].class))
              : List.of());
    }
  }
}
