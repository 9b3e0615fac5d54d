package org.saevhadoop.converters.cat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.tensor.DType;

/**
 * Prints all vectors of a dataset by example, layer and token, numbered as in the source.
 *
 * @param axes the axes of an array that precede the axis of vector elements
 * @param format the output format
 */
record VectorCat(
    ActivationDataset dataset, List<Axis> axes, CatCommand.Format format, OutputStream out) {
  /** An axis along which several indexes may be printed. */
  enum Axis {
    EXAMPLE,
    LAYER,
    TOKEN
  }

  void print() throws IOException {
    Geometry geometry = dataset.geometry();
    String where = dataset.path();
    DType dtype = geometry.dtype();
    boolean values = format == CatCommand.Format.text || format == CatCommand.Format.json;
    ValueText text = values ? new ValueText(where, dtype, format == CatCommand.Format.json) : null;
    RecordSelection selection = RecordSelection.all(geometry, RecordSelection.Unit.VECTOR);
    try (BlockCursor cursor = new BlockCursor(dataset, selection, 0, geometry.examples())) {
      if (format == CatCommand.Format.npy) {
        out.write(NpyPreamble.of(where, dtype, shape(geometry)));
      }
      while (cursor.next()) {
        out.write(vector(cursor, text));
      }
    }
  }

  private List<Long> shape(Geometry geometry) {
    List<Long> shape = new ArrayList<>();
    for (Axis axis : axes) {
      shape.add(
          switch (axis) {
            case EXAMPLE -> geometry.examples();
            case LAYER -> (long) geometry.layers().size();
            case TOKEN -> (long) geometry.tokens();
          });
    }
    shape.add((long) geometry.dim());
    return shape;
  }

  private byte[] vector(BlockCursor cursor, @Nullable ValueText text) {
    ByteBuffer bytes = cursor.bytes();
    if (format == CatCommand.Format.npy || format == CatCommand.Format.bin) {
      return TensorCat.copy(bytes);
    }
    long example = dataset.sourceExample(cursor.example());
    int layer = dataset.geometry().layers().get(cursor.column());
    int token = dataset.sourceToken(cursor.token());
    String line =
        switch (format) {
          case json ->
              "%s\"example\":%d,\"layer\":%d,\"token\":%d,\"values\":[%s]}\n"
                  .formatted(
                      JsonOutput.START,
                      example,
                      layer,
                      token,
                      Objects.requireNonNull(text).join(bytes, ","));
          case hex ->
              "%d %d %d %s\n"
                  .formatted(
                      example, layer, token, HexFormat.of().formatHex(TensorCat.copy(bytes)));
          default ->
              "%d %d %d %s\n"
                  .formatted(example, layer, token, Objects.requireNonNull(text).join(bytes, " "));
        };
    return line.getBytes(StandardCharsets.US_ASCII);
  }
}
