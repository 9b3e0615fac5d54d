package org.saevhadoop.format.parquet.layers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.gather.BufferInput;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.tensor.DType;

/**
 * Staged rows of several layers, presented as one file: an empty header, followed by the vectors of
 * each layer. The labels and the per-token integers follow the first layer.
 *
 * @param file the path of the first file of the dataset, for messages
 * @param rowTokens the number of tokens in each row of the table
 * @param integers the per-token integers
 * @param unread the names of columns that are not read
 * @param warnings warnings about differences between files or layers
 * @param pieces the vectors of each layer
 */
public record JoinedLayers(
    String file,
    long examples,
    List<Integer> layers,
    int tokens,
    int rowTokens,
    int dim,
    DType dtype,
    int patches,
    List<Integers> integers,
    List<String> unread,
    List<String> warnings,
    List<List<Piece>> pieces) {
  /** The name of the file. */
  public static final String ROWS = "rows";

  static final String LABELS = "layers-labels";
  static final String INTEGERS = "layers-integers-%d";

  private static final String DOCUMENT = "_layers.json";
  private static final String HEADER = "";

  /** Consecutive vectors in a staged file. */
  public record Piece(String file, long offset, long bytes) {}

  /** The name of a token array, and the staged file that contains it. */
  public record Integers(String name, String file) {}

  static JoinedLayers of(
      String file, LayerShape shape, LayerComparison comparison, List<List<Piece>> pieces) {
    List<String> warnings = new ArrayList<>(shape.warnings());
    warnings.addAll(comparison.warnings());
    List<Integers> integers = new ArrayList<>();
    for (String name : shape.integers()) {
      if (!comparison.leftOut().contains(name)) {
        integers.add(new Integers(name, INTEGERS.formatted(shape.integers().indexOf(name))));
      }
    }
    Geometry geometry = shape.geometry();
    return new JoinedLayers(
        file,
        geometry.examples(),
        geometry.layers(),
        geometry.tokens(),
        shape.rowTokens(),
        geometry.dim(),
        geometry.dtype(),
        shape.patches(),
        integers,
        shape.unread(),
        warnings,
        pieces);
  }

  /** Reads the document of a folder. */
  public static JoinedLayers read(Folder staged) throws IOException {
    return Jackson.read(staged, DOCUMENT, JoinedLayers.class);
  }

  void write(Folder staged) throws IOException {
    Jackson.write(staged, DOCUMENT, this);
  }

  /** Returns the shape of the dataset. */
  public LayerShape shape() {
    Geometry geometry = new Geometry(examples, layers, tokens, dim, dtype);
    List<String> names = integers.stream().map(Integers::name).toList();
    return new LayerShape(geometry, rowTokens, patches, names, unread, warnings);
  }

  /** Returns the staged folder, in which the rows appear as one file. */
  public Folder in(Folder staged, Folder source) {
    return new RowsFolder(staged, source.path(file), elements());
  }

  private List<StoredElements<String>> elements() {
    List<StoredElements<String>> elements = new ArrayList<>();
    elements.add(contiguous(HEADER, 0, Long.BYTES));
    for (List<Piece> layer : pieces) {
      boolean isFirst = elements.size() == 1;
      layer.forEach(piece -> elements.add(contiguous(piece.file, piece.offset, piece.bytes)));
      if (isFirst && patches > 0) {
        elements.add(contiguous(LABELS, 0, examples * patches));
      }
      for (int i = 0; isFirst && i < integers.size(); i++) {
        elements.add(contiguous(integers.get(i).file, 0, examples * tokens * Long.BYTES));
      }
    }
    return elements;
  }

  private static StoredElements<String> contiguous(String file, long offset, long bytes) {
    return new StoredElements<>(file, StridedLayout.contiguous(offset, bytes));
  }

  /** The staged folder, in which the rows appear as one file with the path of a Parquet file. */
  private static final class RowsFolder extends ForwardingFolder {
    private final String shown;
    private final List<StoredElements<String>> elements;

    RowsFolder(Folder staged, String shown, List<StoredElements<String>> elements) {
      super(staged);
      this.shown = shown;
      this.elements = elements;
    }

    @Override
    public String path(String name) {
      return name.equals(ROWS) ? shown : super.path(name);
    }

    @Override
    public Input open(String name) throws IOException {
      return name.equals(ROWS)
          ? new GatheredInput<>(
              shown,
              file ->
                  file.equals(HEADER)
                      ? new BufferInput(shown, ByteBuffer.allocate(Long.BYTES))
                      : folder().open(file),
              elements)
          : super.open(name);
    }
  }
}
