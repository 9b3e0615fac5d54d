package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrow.file.ArrowColumn.Region;
import org.saevhadoop.format.arrow.file.BatchColumns.SampleColumn;
import org.saevhadoop.format.arrow.file.Dictionaries.Dictionary;
import org.saevhadoop.format.arrow.file.Dictionaries.Entry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonEscapes;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.JsonScalars;

/**
 * The values of a column of a record batch as JSON or integers, read in ascending order of rows.
 */
final class SampleValues {
  private static final int PIECE = 1 << 14;
  private static final int MAX_TEXT = 1 << 26;
  private static final int MAX_SHOWN = 100;

  /**
   * A view contains the length of a string and either the string itself, if it is short, or its
   * location.
   */
  private static final int VIEW_BYTES = 16;

  private static final int MAX_INLINE = 12;

  private final Input file;
  private final SampleColumn column;
  private final @Nullable Dictionary dictionary;

  /** The name of a row in messages. */
  private final String unit;

  private final long before;
  private final long pieceBytes;
  private final Piece validity;
  private final List<Piece> buffers;

  /**
   * Creates a reader.
   *
   * @param dictionary the dictionary if the column contains dictionary indexes; otherwise null
   * @param before the number of rows in the file before the record batch
   */
  SampleValues(Input file, SampleColumn column, @Nullable Dictionary dictionary, long before) {
    this(file, column, dictionary, "row", before, PIECE);
  }

  private SampleValues(
      Input file,
      SampleColumn column,
      @Nullable Dictionary dictionary,
      String unit,
      long before,
      long pieceBytes) {
    this.file = file;
    this.column = column;
    this.dictionary = dictionary;
    this.unit = unit;
    this.before = before;
    this.pieceBytes = pieceBytes;
    this.validity = new Piece(column.node().validity());
    this.buffers = column.buffers().stream().map(Piece::new).toList();
  }

  /** Returns the values of a dictionary, which can be read in any order. */
  static SampleValues ofDictionary(Input file, SampleColumn values, long before) {
    return new SampleValues(file, values, null, "dictionary entry", before, Dictionaries.MAX_BYTES);
  }

  /** Releases the memory of values until they are read again. */
  void release() {
    validity.release();
    buffers.forEach(Piece::release);
  }

  String name() {
    return column.name();
  }

  /** Returns the value of a row of the record batch. */
  String json(long row) throws IOException {
    if (isNull(row)) {
      return JsonScalars.NULL;
    }
    if (dictionary != null) {
      Entry entry = entry(row, dictionary);
      return entry.part().json(entry.at());
    }
    ArrowScalar type = column.type();
    try {
      if (type.isText()) {
        StringBuilder json = new StringBuilder();
        JsonEscapes.UTF8.quote(
            StandardCharsets.UTF_8.newDecoder().decode(text(row)).toString(), json);
        return json.toString();
      }
      if (type.isBits()) {
        return String.valueOf(isSet(buffers.get(0), row));
      }
      return type.json(buffers.get(0).at(multiplied(row, type.bytes()), type.bytes()));
    } catch (CharacterCodingException e) {
      throw error(row, "is not a text in UTF-8").causedBy(e);
    } catch (DateTimeException | ArithmeticException e) {
      throw error(row, "is not a date or time: " + e.getMessage()).causedBy(e);
    }
  }

  /** Returns the integer of a row of the record batch, which must not be null. */
  long integer(long row) throws IOException {
    ArrowError.NULL.check(
        !isNull(row),
        file.path(),
        "column %s has a null in %s %d, counted from 0 (expected integers only)",
        Quote.show(name(), MAX_SHOWN),
        unit,
        before + row);
    if (dictionary != null) {
      Entry entry = entry(row, dictionary);
      return entry.part().integer(entry.at());
    }
    return stored(row);
  }

  private long stored(long row) throws IOException {
    ArrowScalar type = column.type();
    return type.integer(buffers.get(0).at(multiplied(row, type.bytes()), type.bytes()));
  }

  private Entry entry(long row, Dictionary values) throws IOException {
    long index = stored(row);
    Entry entry = values.entry(index);
    if (entry == null) {
      boolean isUnsigned = column.type().dtype() == DType.U64;
      String shown = isUnsigned ? Long.toUnsignedString(index) : Long.toString(index);
      throw error(
          row,
          "has the index %s, outside its dictionary of %d values".formatted(shown, values.size()));
    }
    return entry;
  }

  private boolean isNull(long row) throws IOException {
    return column.node().nulls() > 0 && !isSet(validity, row);
  }

  private static boolean isSet(Piece bits, long row) throws IOException {
    ByteBuffer bytes = bits.at(row / Byte.SIZE, 1);
    return (bytes.get(bytes.position()) >> row % Byte.SIZE & 1) != 0;
  }

  private ByteBuffer text(long row) throws IOException {
    if (column.type().type() == ArrowType.UTF8_VIEW) {
      return view(row);
    }
    boolean isLarge = column.type().type() == ArrowType.LARGE_UTF8;
    int width = isLarge ? Long.BYTES : Integer.BYTES;
    ByteBuffer offsets = buffers.get(0).at(multiplied(row, width), 2 * width);
    int at = offsets.position();
    long begin = isLarge ? offsets.getLong(at) : offsets.getInt(at);
    long end = isLarge ? offsets.getLong(at + width) : offsets.getInt(at + width);
    return text(row, 1, begin, end - begin);
  }

  private ByteBuffer view(long row) throws IOException {
    ByteBuffer view = buffers.get(0).at(multiplied(row, VIEW_BYTES), VIEW_BYTES);
    int at = view.position();
    int length = view.getInt(at);
    if (length >= 0 && length <= MAX_INLINE) {
      return view.slice(at + Integer.BYTES, length);
    }
    int buffer = view.getInt(at + 2 * Integer.BYTES);
    if (buffer < 0 || buffer >= buffers.size() - 1) {
      throw error(row, "is in buffer %d of %d".formatted(buffer, buffers.size() - 1));
    }
    return text(row, 1 + buffer, view.getInt(at + 3 * Integer.BYTES), length);
  }

  private ByteBuffer text(long row, int buffer, long begin, long length) throws IOException {
    if (begin < 0 || length < 0) {
      throw error(row, "has %d bytes at %d".formatted(length, begin));
    }
    ArrowError.TOO_LARGE.check(
        length <= MAX_TEXT,
        file.path(),
        "column %s has a text of %d bytes in %s %d, counted from 0 (expected at most %d)",
        Quote.show(name(), MAX_SHOWN),
        length,
        unit,
        before + row,
        MAX_TEXT);
    ByteBuffer bytes = buffers.get(buffer).at(begin, (int) length);
    return bytes.slice(bytes.position(), (int) length);
  }

  private static long multiplied(long row, int width) {
    return Math.multiplyExact(row, (long) width);
  }

  private FormatException error(long row, String problem) {
    return ArrowError.BAD_BATCH.in(
        file.path(),
        "column %s has a value in %s %d, counted from 0, that %s",
        Quote.show(name(), MAX_SHOWN),
        unit,
        before + row,
        problem);
  }

  /** A buffer of the record batch, with some of its bytes in memory. */
  private final class Piece {
    private final Region region;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private long first;

    Piece(Region region) {
      this.region = region;
    }

    void release() {
      bytes = ByteBuffer.allocate(0);
    }

    /** Returns a little-endian buffer positioned at the bytes that begin at an offset. */
    ByteBuffer at(long offset, int length) throws IOException {
      ArrowError.BAD_BATCH.check(
          offset <= region.length() - length,
          file.path(),
          "column %s has a buffer of %d bytes, at byte %d (expected at least %d)",
          Quote.show(name(), MAX_SHOWN),
          region.length(),
          region.offset(),
          offset + length);
      if (offset < first || offset + length > first + bytes.limit()) {
        first = region.length() <= pieceBytes ? 0 : offset;
        int some = (int) Math.min(Math.max(pieceBytes, length), region.length() - first);
        bytes = ByteBuffer.allocate(some).order(ByteOrder.LITTLE_ENDIAN);
        file.readFully(region.offset() + first, bytes);
        bytes.flip();
      }
      return bytes.position((int) (offset - first));
    }
  }
}
