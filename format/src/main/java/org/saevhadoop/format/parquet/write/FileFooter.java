package org.saevhadoop.format.parquet.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Output;

/**
 * The end of a file: the indexes of pages, and the metadata.
 *
 * @param metadata the metadata values that readers pass on, by key
 */
record FileFooter(List<ColumnSchema> columns, Map<String, String> metadata) {
  /** The first and the last bytes of a file. */
  static final byte[] MAGIC = {'P', 'A', 'R', '1'};

  private static final int VERSION = 1;
  private static final String CREATED_BY = "saev-hadoop";

  /** A written row group. */
  record Group(long rows, List<WrittenChunk> chunks) {}

  /** The location of a page index in the file; both numbers are 0 if there is no index. */
  private record Place(long offset, int length) {}

  /** Writes the footer, which ends the file. */
  void write(List<Group> groups, Output out) throws IOException {
    List<Place> bounds = new ArrayList<>();
    List<Place> offsets = new ArrayList<>();
    for (Group group : groups) {
      for (WrittenChunk chunk : group.chunks) {
        bounds.add(write(chunk.columnIndex(), out));
      }
    }
    for (Group group : groups) {
      for (WrittenChunk chunk : group.chunks) {
        offsets.add(write(chunk.offsetIndex(), out));
      }
    }
    byte[] footer = footer(groups, bounds, offsets).toBytes();
    out.write(ByteBuffer.wrap(footer));
    ByteBuffer end = ByteBuffer.allocate(Integer.BYTES + MAGIC.length);
    out.write(end.order(ByteOrder.LITTLE_ENDIAN).putInt(footer.length).put(MAGIC).flip());
  }

  /** Returns the length of a file without rows. */
  int emptyBytes() {
    byte[] footer = footer(List.of(), List.of(), List.of()).toBytes();
    return 2 * MAGIC.length + footer.length + Integer.BYTES;
  }

  private static Place write(@Nullable ThriftWriter index, Output out) throws IOException {
    if (index == null) {
      return new Place(0, 0);
    }
    byte[] bytes = index.toBytes();
    Place place = new Place(out.position(), bytes.length);
    out.write(ByteBuffer.wrap(bytes));
    return place;
  }

  private ThriftWriter footer(List<Group> groups, List<Place> bounds, List<Place> offsets) {
    List<ThriftWriter> schema = new ArrayList<>();
    schema.add(new ThriftWriter().text(4, "schema").i32(5, columns.size()));
    columns.forEach(column -> schema.addAll(column.elements()));
    ThriftWriter byType = new ThriftWriter().struct(1, new ThriftWriter());
    List<ThriftWriter> rowGroups = new ArrayList<>();
    int chunk = 0;
    for (Group group : groups) {
      int end = chunk + group.chunks.size();
      rowGroups.add(group(group, bounds.subList(chunk, end), offsets.subList(chunk, end)));
      chunk = end;
    }
    return new ThriftWriter()
        .i32(1, VERSION)
        .structs(2, schema)
        .i64(3, groups.stream().mapToLong(Group::rows).sum())
        .structs(4, rowGroups)
        .structs(
            5,
            metadata.entrySet().stream()
                .map(entry -> new ThriftWriter().text(1, entry.getKey()).text(2, entry.getValue()))
                .toList())
        .text(6, CREATED_BY)
        .structs(7, columns.stream().map(column -> byType).toList());
  }

  private static ThriftWriter group(Group group, List<Place> bounds, List<Place> offsets) {
    List<ThriftWriter> chunks = new ArrayList<>();
    for (int i = 0; i < group.chunks.size(); i++) {
      WrittenChunk chunk = group.chunks.get(i);
      ThriftWriter column = new ThriftWriter().i64(2, chunk.start()).struct(3, chunk.metadata());
      if (offsets.get(i).length > 0) {
        column.i64(4, offsets.get(i).offset).i32(5, offsets.get(i).length);
      }
      if (bounds.get(i).length > 0) {
        column.i64(6, bounds.get(i).offset).i32(7, bounds.get(i).length);
      }
      chunks.add(column);
    }
    return new ThriftWriter()
        .structs(1, chunks)
        .i64(2, group.chunks.stream().mapToLong(WrittenChunk::plainBytes).sum())
        .i64(3, group.rows)
        .i64(5, group.chunks.get(0).start())
        .i64(6, group.chunks.stream().mapToLong(WrittenChunk::bytes).sum());
  }
}
