package org.saevhadoop.format.parquet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.entries.EntryContent;
import org.saevhadoop.format.entries.EntryFolder;
import org.saevhadoop.format.gather.BufferInput;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.safetensors.dataset.SafetensorsArrays;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.samples.DataFile;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.Sidecars;

/**
 * Parquet files that are read from staged row groups: each file appears as a safetensors file, in
 * which a column of all its row groups is one tensor.
 */
final class StagedTables implements EntryContent<StagedGroup> {
  private static final String PART = "groups-%05d";
  private static final String WARNINGS = "saev.staged.warnings";
  private static final String RAGGED_ROWS = "saev.staged.rows";
  private static final String SAMPLES = "saev.staged.samples";
  private static final String RAGGED_NAMES = "saev.staged.ragged";

  /** Denotes the header in place of a file name; file names are never empty. */
  private static final String HEADER = "";

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

  @Override
  public List<StagedGroup> read(Folder staged, int part) throws IOException {
    return Part.read(staged, part).groups();
  }

  @Override
  public String file(StagedGroup group) {
    return group.path();
  }

  @Override
  public Input open(Folder folder, String name, Folder staged, List<StagedGroup> groups)
      throws IOException {
    return open(folder.path(name), staged, groups.stream().sorted(StagedGroup.ORDER).toList());
  }

  private static Input open(String path, Folder staged, List<StagedGroup> groups)
      throws IOException {
    List<StoredElements<String>> pieces = new ArrayList<>();
    ByteBuffer header = header(groups);
    add(pieces, HEADER, 0, header.remaining());
    for (String array : arrays(groups).keySet()) {
      for (StagedGroup group : groups) {
        long offset = group.offset();
        for (StagedGroup.StagedArray own : group.arrays()) {
          long bytes = own.rowBytes() * group.length(own);
          if (own.name().equals(array)) {
            add(pieces, group.data(), offset, bytes);
          }
          offset += bytes;
        }
      }
    }
    return new GatheredInput<>(
        path,
        file -> file.equals(HEADER) ? new BufferInput(path, header) : staged.open(file),
        pieces);
  }

  private static void add(
      List<StoredElements<String>> pieces, String file, long offset, long bytes) {
    if (bytes > 0) {
      pieces.add(new StoredElements<>(file, StridedLayout.contiguous(offset, bytes)));
    }
  }

  /** Returns the arrays of all row groups of a file by name, in order. */
  private static Map<String, StagedGroup.StagedArray> arrays(List<StagedGroup> groups) {
    Map<String, StagedGroup.StagedArray> arrays = new LinkedHashMap<>();
    groups.forEach(group -> group.arrays().forEach(own -> arrays.putIfAbsent(own.name(), own)));
    return arrays;
  }

  /** Returns the beginning of the safetensors file: the length of the header, and the header. */
  private static ByteBuffer header(List<StagedGroup> groups) throws IOException {
    ObjectNode header = Jackson.MAPPER.createObjectNode();
    if (!groups.isEmpty()) {
      String warnings = Jackson.MAPPER.writeValueAsString(groups.get(0).warnings());
      ObjectNode metadata = header.putObject("__metadata__").put(WARNINGS, warnings);
      putRagged(metadata, groups);
      if (groups.stream().anyMatch(group -> group.samples() != null)) {
        metadata.put(SAMPLES, "");
      }
    }
    long begin = 0;
    for (StagedGroup.StagedArray array : arrays(groups).values()) {
      long rows =
          groups.stream()
              .mapToLong(group -> group.array(array.name()).map(group::length).orElse(0L))
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

  private static void putRagged(ObjectNode metadata, List<StagedGroup> groups) throws IOException {
    List<RaggedRows> ragged =
        groups.stream().map(StagedGroup::ragged).filter(Objects::nonNull).toList();
    if (!ragged.isEmpty()) {
      List<String> names =
          arrays(groups).values().stream()
              .filter(array -> array.tokens() != StagedGroup.OF_ROWS)
              .map(StagedGroup.StagedArray::name)
              .toList();
      RaggedRows rows = RaggedRows.join(groups.get(0).path(), ragged);
      metadata.put(RAGGED_ROWS, Jackson.MAPPER.writeValueAsString(rows));
      metadata.put(RAGGED_NAMES, Jackson.MAPPER.writeValueAsString(names));
    }
  }

  /** Reads the safetensors files in which the Parquet files appear. */
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
      List<String> warnings = List.of(text(content, WARNINGS, String[].class).orElseThrow());
      Optional<RaggedRows> ragged = text(content, RAGGED_ROWS, RaggedRows.class);
      if (ragged.isEmpty()) {
        return new ArrayFile(content.arrays(), Map.of(), List.of(), warnings)
            .withSamples(content.values().containsKey(SAMPLES));
      }
      Set<String> names = Set.of(text(content, RAGGED_NAMES, String[].class).orElseThrow());
      return ArrayFile.ofParts(ragged.get().parts(content.arrays(), names), warnings)
          .withSamples(content.values().containsKey(SAMPLES));
    }

    private static <T> Optional<T> text(ArrayFile content, String key, Class<T> type)
        throws IOException {
      return content.values().get(key) instanceof String text
          ? Optional.of(Jackson.MAPPER.readValue(text, type))
          : Optional.empty();
    }

    @Override
    public Optional<SampleMetadata> samples(Folder folder, String path) throws IOException {
      if (!(folder instanceof EntryFolder<?> tables)) {
        return Optional.empty();
      }
      List<DataFile> files = new ArrayList<>();
      long first = 0;
      for (StagedGroup group :
          tables.entries(path, StagedGroup.class).stream().sorted(StagedGroup.ORDER).toList()) {
        if (group.samples() != null) {
          files.add(new DataFile(group.samples(), first, group.rows()));
        }
        first += group.rows();
      }
      return files.isEmpty()
          ? Optional.empty()
          : Optional.of(Sidecars.assumed(tables.staged(), files));
    }
  }
}
