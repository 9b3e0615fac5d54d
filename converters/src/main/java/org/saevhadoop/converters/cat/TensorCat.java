package org.saevhadoop.converters.cat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.converters.inspect.TensorReport;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.slice.TensorSlice;
import org.saevhadoop.format.spi.NamedTensors.OpenTensor;
import org.saevhadoop.format.tensor.DType;

/**
 * Prints a slice of a tensor of any size, piece by piece. Text and hexadecimal output has one line
 * for each row, which is the selected part of the last dimension.
 */
final class TensorCat {
  private static final int BUFFER_BYTES = 1 << 20;

  private final OpenTensor source;
  private final TensorSlice slice;
  private final @Nullable String storedDtype;
  private final CatCommand.Format format;
  private final OutputStream out;
  private final DType dtype;
  private final long rowBytes;
  private long rowLeft;

  /**
   * @param storedDtype the name of the type in the format; null if numpy uses the same name
   */
  TensorCat(
      OpenTensor source,
      TensorSlice slice,
      @Nullable String storedDtype,
      CatCommand.Format format,
      OutputStream out) {
    this.source = source;
    this.slice = slice;
    this.storedDtype = storedDtype;
    this.format = format;
    this.out = out;
    this.dtype = source.dtype();
    List<Long> shape = slice.shape();
    long row = shape.isEmpty() ? 1 : shape.get(shape.size() - 1);
    boolean lines = format == CatCommand.Format.text || format == CatCommand.Format.hex;
    boolean whole = slice.byteLength() == 0 || row * dtype.bits() % Byte.SIZE != 0;
    this.rowBytes = !lines || whole ? Long.MAX_VALUE : row * dtype.bits() / Byte.SIZE;
    this.rowLeft = rowBytes;
  }

  /** Prints the slice. Only the bytes of the slice are read. */
  void print() throws IOException {
    try {
      printAll();
    } catch (IOException e) {
      if (format == CatCommand.Format.json) {
        write("\n"); // the object of the failure has a line of its own
      }
      throw e;
    }
  }

  private void printAll() throws IOException {
    boolean json = format == CatCommand.Format.json;
    ValueText numbers =
        json || format == CatCommand.Format.text ? new ValueText(describe(), dtype, json) : null;
    write(before());
    ByteBuffer buffer = Input.buffer(BUFFER_BYTES);
    boolean first = true;
    for (ByteRange run : slice.runs(0)) {
      for (long at = 0; at < run.length(); ) {
        int n = (int) Math.min(buffer.remaining(), run.length() - at);
        buffer.limit(buffer.position() + n);
        source.read(run.offset() + at, buffer);
        buffer.limit(buffer.capacity());
        at += n;
        if (!buffer.hasRemaining()) {
          print(buffer.flip(), numbers, first);
          first = false;
          buffer.clear();
        }
      }
    }
    print(buffer.flip(), numbers, first);
    boolean open = format == CatCommand.Format.hex && rowLeft != rowBytes;
    write(json ? "]}\n" : open ? "\n" : "");
  }

  private String describe() {
    return source.path() + ": tensor \"" + Quote.show(source.name()) + '"';
  }

  private byte[] before() throws IOException {
    return switch (format) {
      case npy -> NpyPreamble.of(describe(), dtype, slice.shape());
      case json ->
          "%s\"name\":%s,\"dtype\":\"%s\",%s\"shape\":%s,\"values\":["
              .formatted(
                  JsonOutput.START,
                  JsonOutput.text(source.name()),
                  dtype.numpyName(),
                  storedDtype == null ? "" : "\"stored_dtype\":\"" + storedDtype + "\",",
                  TensorReport.unsigned(slice.shape()))
              .getBytes(StandardCharsets.US_ASCII);
      default -> new byte[0];
    };
  }

  private void print(ByteBuffer bytes, @Nullable ValueText numbers, boolean first)
      throws IOException {
    boolean begun = !first;
    while (bytes.hasRemaining()) {
      int n = (int) Math.min(bytes.remaining(), rowLeft);
      ByteBuffer row = bytes.slice(bytes.position(), n);
      bytes.position(bytes.position() + n);
      boolean inRow = rowBytes == Long.MAX_VALUE ? begun : rowLeft != rowBytes;
      switch (format) {
        case text -> write((inRow ? " " : "") + Objects.requireNonNull(numbers).join(row, " "));
        case json -> write((inRow ? "," : "") + Objects.requireNonNull(numbers).join(row, ","));
        case hex -> write(HexFormat.of().formatHex(copy(row)));
        default -> write(copy(row));
      }
      begun = true;
      rowLeft -= n;
      if (rowLeft == 0) {
        write("\n");
        rowLeft = rowBytes;
      }
    }
  }

  static byte[] copy(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return copy;
  }

  private void write(String text) throws IOException {
    write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private void write(byte[] bytes) throws IOException {
    out.write(bytes);
  }
}
