package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.flatbuffer.FlatBytes;
import org.saevhadoop.format.flatbuffer.FlatTable;
import org.saevhadoop.format.io.Input;

/**
 * The messages of a file in order, either in the stream form or in the file form, in which the
 * footer locates the record batches (Columnar.rst, "Serialization and Interprocess Communication",
 * Arrow 18).
 */
final class ArrowMessages {
  /** Kinds of messages: the union {@code MessageHeader} of Message.fbs. */
  static final int SCHEMA = 1;

  static final int DICTIONARY_BATCH = 2;
  static final int RECORD_BATCH = 3;

  /** {@code MetadataVersion.V4}; later versions differ only in unions. */
  static final int V4 = 3;

  static final int V5 = 4;

  private static final FlatBytes.Rules RULES =
      new FlatBytes.Rules("metadata", ArrowError.BAD_METADATA, ArrowError.TOO_LARGE, 16 << 20);

  private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FEATHER_1 = "FEA1".getBytes(StandardCharsets.US_ASCII);
  private static final String EXPERIMENTAL = "ARROW:experimental_compression";
  private static final int MAX_METADATA = 1 << 10;
  private static final int MAGIC_PADDED = 8;
  private static final int CONTINUATION = -1;
  private static final int FOOTER_SCHEMA = 1;
  private static final int FOOTER_DICTIONARIES = 2;
  private static final int FOOTER_BATCHES = 3;
  private static final int BLOCK_BYTES = 24;
  private static final int MAX_BATCHES = 1 << 18;

  /**
   * A message.
   *
   * @param kind the type of the header
   * @param body the offset of the body in the file
   * @param length the length of the body in bytes
   */
  record Message(int version, int kind, FlatTable header, long body, long length) {
    private static final int VERSION = 0;
    private static final int KIND = 1;
    private static final int HEADER = 2;
    private static final int LENGTH = 3;
    private static final int METADATA = 4;

    /** Returns a copy of the message with a table of its header in place of the header. */
    Message with(FlatTable table) {
      return new Message(version, kind, table, body, length);
    }
  }

  private record Block(int kind, long offset, long bytes) {}

  private final Input file;
  private final Message schema;
  private final @Nullable Iterator<Block> blocks;

  /** The end of the messages. */
  private final long end;

  private long next;
  private boolean isEnded;

  /** Reads the first message, or the footer. */
  ArrowMessages(Input file) throws IOException {
    this.file = file;
    long length = file.length();
    ArrowError.UNSUPPORTED.check(
        !startsWith(0, FEATHER_1),
        file.path(),
        "is a file of Feather V1, which is not read (expected Feather V2: write it again with"
            + " pyarrow.feather.write_feather(table, path, compression=\"uncompressed\"))");
    boolean isFile = startsWith(0, MAGIC);
    this.end = isFile ? footer(length) : length;
    if (isFile) {
      FlatTable root =
          FlatTable.root(new FlatBytes(file, end, length - MAGIC.length - Integer.BYTES, RULES));
      FlatTable fields = root.table(FOOTER_SCHEMA);
      if (fields == null) {
        throw ArrowError.BAD_METADATA.in(file.path(), "has no schema in its footer");
      }
      this.schema = new Message(root.i16(0), SCHEMA, fields, 0, 0);
      List<Block> all = new ArrayList<>();
      addBlocks(DICTIONARY_BATCH, root.vector(FOOTER_DICTIONARIES, BLOCK_BYTES), all);
      addBlocks(RECORD_BATCH, root.vector(FOOTER_BATCHES, BLOCK_BYTES), all);
      this.blocks = all.iterator();
    } else {
      Message first = message(0);
      if (first == null || first.kind != SCHEMA) {
        throw ArrowError.BAD_FRAME.in(
            file.path(), "has no schema as its first message (expected an Arrow file or stream)");
      }
      this.schema = first;
      this.blocks = null;
    }
    ArrowError.UNSUPPORTED.check(
        schema.version == V4 || schema.version == V5,
        file.path(),
        "has metadata of version V%d (expected V4 or V5, which writers since Arrow 0.8 use)",
        schema.version + 1);
  }

  private boolean startsWith(long at, byte[] magic) throws IOException {
    return at >= 0
        && file.length() - at >= magic.length
        && Arrays.equals(bytes(at, magic.length).array(), magic);
  }

  private ByteBuffer bytes(long at, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    file.readFully(at, bytes);
    return bytes.flip();
  }

  /** Returns the offset of the footer. */
  private long footer(long length) throws IOException {
    long sizeAt = length - MAGIC.length - Integer.BYTES;
    ArrowError.BAD_FRAME.check(
        sizeAt >= MAGIC_PADDED && startsWith(length - MAGIC.length, MAGIC),
        file.path(),
        "does not end with ARROW1: its writer has not finished, or it is truncated");
    int size = bytes(sizeAt, Integer.BYTES).getInt();
    ArrowError.BAD_FRAME.check(
        size > 0 && size <= sizeAt - MAGIC_PADDED,
        file.path(),
        "has a footer of %d bytes, at byte %d (expected 1 to %d)",
        size,
        sizeAt,
        sizeAt - MAGIC_PADDED);
    return sizeAt - size;
  }

  private void addBlocks(int kind, FlatTable.Vector vector, List<Block> blocks) throws IOException {
    ArrowError.TOO_LARGE.check(
        vector.count() <= MAX_BATCHES,
        file.path(),
        "has %d %s (expected at most %d)",
        vector.count(),
        name(kind, true),
        MAX_BATCHES);
    long least = MAGIC_PADDED;
    for (long i = 0; i < vector.count(); i++) {
      long offset = vector.i64(3 * i);
      long metadata = (int) vector.i64(3 * i + 1);
      long body = vector.i64(3 * i + 2);
      ArrowError.BAD_FRAME.check(
          offset >= least
              && metadata > 0
              && metadata <= end - offset
              && body >= 0
              && body <= end - offset - metadata,
          file.path(),
          "%s %d is at byte %d, with %d bytes and a body of %d (expected %d to %d)",
          name(kind, false),
          i,
          offset,
          metadata,
          body,
          least,
          end);
      blocks.add(new Block(kind, offset, metadata + body));
      least = offset + metadata + body;
    }
  }

  private static String name(int kind, boolean isPlural) {
    String name = kind == RECORD_BATCH ? "record batch" : "dictionary batch";
    return isPlural ? name + "es" : name;
  }

  /**
   * Returns whether this is the file form, in which a dictionary can be extended but not replaced.
   */
  boolean isFile() {
    return blocks != null;
  }

  Message schema() {
    return schema;
  }

  /**
   * Returns the next message after the schema; null if there is none. In the file form, all
   * dictionaries precede the record batches.
   */
  @Nullable Message next() throws IOException {
    if (blocks == null) {
      return message(next);
    }
    if (!blocks.hasNext()) {
      isEnded = true;
      return null;
    }
    Block block = blocks.next();
    Message message = message(block.offset);
    if (message == null || message.kind != block.kind || next > block.offset + block.bytes) {
      throw ArrowError.BAD_FRAME.in(
          file.path(),
          "has no %s of %d bytes, at byte %d",
          name(block.kind, false),
          block.bytes,
          block.offset);
    }
    return message;
  }

  /** Returns whether the end of the messages is marked. */
  boolean isEnded() {
    return isEnded;
  }

  /** Returns the message at an offset; null at the end. */
  private @Nullable Message message(long at) throws IOException {
    if (at == end) {
      return null;
    }
    int size = size(at, end - at);
    long metadata = at + Integer.BYTES;
    if (size == CONTINUATION) {
      size = size(metadata, end - metadata);
      metadata += Integer.BYTES;
    }
    if (size == 0) {
      isEnded = true;
      ArrowError.BAD_FRAME.check(
          blocks != null || metadata == end,
          file.path(),
          "has %d bytes after the end of its stream, at byte %d (expected one stream in a file)",
          end - metadata,
          metadata);
      return null;
    }
    ArrowError.BAD_FRAME.check(
        size > 0 && size <= end - metadata,
        file.path(),
        "has a message of %d bytes, at byte %d (expected at most %d: it is truncated, or not"
            + " Arrow)",
        size,
        at,
        end - metadata);
    FlatTable root = FlatTable.root(new FlatBytes(file, metadata, metadata + size, RULES));
    FlatTable header = root.table(Message.HEADER);
    long length = root.i64(Message.LENGTH);
    long body = metadata + size;
    ArrowError.BAD_FRAME.check(
        length >= 0 && length <= end - body,
        file.path(),
        "has a body of %d bytes, at byte %d (expected at most %d: the file is truncated)",
        length,
        body,
        end - body);
    if (header == null) {
      throw ArrowError.BAD_METADATA.in(
          file.path(), "has a message without a header, at byte %d", at);
    }
    checkMetadata(root.vector(Message.METADATA, Integer.BYTES));
    next = body + length;
    return new Message(root.i16(Message.VERSION), root.i8(Message.KIND), header, body, length);
  }

  /** Checks that a body is not compressed as in Arrow 0.17, which had no field for compression. */
  private void checkMetadata(FlatTable.Vector metadata) throws IOException {
    for (long i = 0; i < Math.min(MAX_METADATA, metadata.count()); i++) {
      ArrowError.UNSUPPORTED.check(
          !EXPERIMENTAL.equals(metadata.table(i).text(0)),
          file.path(),
          "has bodies that are compressed as in Arrow 0.17 (expected Arrow 1.0 or later: read it"
              + " with pyarrow and write it again)");
    }
  }

  private int size(long at, long left) throws IOException {
    ArrowError.BAD_FRAME.check(
        left >= Integer.BYTES, file.path(), "ends within the length of a message, at byte %d", at);
    return bytes(at, Integer.BYTES).getInt();
  }
}
