package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;

/** Reads Arrow files, the columns of which are arrays whose first dimension is that of rows. */
public final class ArrowReader implements ArrayReader {
  private static final Set<String> ENDINGS = Set.of("arrow", "arrows", "feather", "ipc");

  private final Names names;

  /**
   * The columns that must be readable, and that decide where runs of rows end.
   *
   * @param vectors the patterns of the names of the vectors; empty if all floats may be
   * @param tokens the names of token ids and masks, which may not be left out; empty if they may
   */
  public record Names(List<NamePattern> vectors, Set<String> tokens) {
    public Names {
      vectors = List.copyOf(vectors);
      tokens = Set.copyOf(tokens);
    }

    /** Returns whether the user has named a column as vectors. */
    boolean isNamed(String column) {
      return vectors.stream().anyMatch(name -> name.match(column).isPresent());
    }

    boolean isMain(ArrowColumn column) {
      return isNamed(column.name()) || vectors.isEmpty() && column.isFloat();
    }

    boolean isOfTokens(ArrowColumn column) {
      return tokens.contains(column.name().substring(column.name().lastIndexOf('.') + 1));
    }

    boolean mustRead(ArrowColumn column) {
      return isMain(column) || isOfTokens(column);
    }
  }

  /** Creates a reader. */
  public ArrowReader(Names names) {
    this.names = names;
  }

  @Override
  public boolean isNamed(String file) {
    return ENDINGS.contains(file.substring(file.lastIndexOf('.') + 1)) && file.indexOf('.') >= 0;
  }

  @Override
  public ArrayFile read(Folder folder, String file) throws IOException {
    try (Input in = folder.open(file)) {
      return new ArrowContent(in, names).read();
    }
  }

  /** {@inheritDoc} Booleans are bits, whose positions are counted in bits. */
  @Override
  public Input elements(Folder folder, String path, String array) throws IOException {
    Input file = ArrayFiles.open(folder, path);
    try {
      ArrowField column = ArrowSchema.columns(file).get(array);
      boolean isBits = column != null && column.innermost().type() == ArrowType.BOOL;
      return isBits ? new BitInput(file) : file;
    } catch (IOException | RuntimeException e) {
      try (file) {
        throw e;
      }
    }
  }

  /** Returns the number of dimensions of each column, that of the rows included. */
  public static Map<String, Integer> ranks(Input file) throws IOException {
    Map<String, Integer> ranks = new HashMap<>();
    ArrowSchema.columns(file).forEach((name, column) -> ranks.put(name, 1 + column.rank()));
    return ranks;
  }
}
