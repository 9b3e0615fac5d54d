package org.saevhadoop.format.parquet;

import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.Axis;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.parquet.table.TableColumn;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tokens.PaddingMarks;

/**
 * The meaning of a table row in the dataset.
 *
 * @param isExample whether the row is an example whose other columns are sample metadata
 * @param hasTokens whether the row is an example with several tokens
 * @param isRagged whether the tokens are lists whose lengths can differ
 * @param label the name of the label column; empty if there is none
 */
record RowMeaning(boolean isExample, boolean hasTokens, boolean isRagged, Optional<String> label) {
  /** The number of dimensions of a column that has a vector for each token. */
  private static final int VECTORS = 3;

  /** Determines the meaning of the rows of a file from the settings for its columns. */
  static RowMeaning of(TableFooter footer, Settings settings) {
    Optional<String> label = Optional.ofNullable(settings.get(ArrayKeys.LABEL_COLUMN));
    List<ArrayMapping> mappings = ArrayKeys.mappings(ArrayKeys.ofRows(settings, footer.ranks()));
    if (settings.get(ArrayKeys.TOKENS_PER_EXAMPLE) > 1
        || !mappings.stream().allMatch(own -> own.axes().indexOf(Axis.EXAMPLE) == 0)) {
      return new RowMeaning(false, false, false, label);
    }
    boolean hasTokens =
        mappings.isEmpty()
            ? footer.columns().stream()
                .anyMatch(column -> column.isFloat() && column.isArray() && column.rank() > 2)
            : mappings.stream().anyMatch(own -> own.axes().contains(Axis.TOKEN));
    boolean isRagged =
        settings.get(ArrayKeys.RAGGED).mode() != RaggedPolicy.Mode.ERROR
            && hasTokens
            && mappings.stream().allMatch(own -> own.axes().indexOf(Axis.TOKEN) == 1);
    return new RowMeaning(settings.get(ArrayKeys.SAMPLE_METADATA), hasTokens, isRagged, label);
  }

  /**
   * Returns whether a column has one list per row, with one element per token, so that the lengths
   * can differ: vectors, token ids, masks and labels.
   */
  boolean isRagged(TableFooter footer, int index) {
    TableColumn column = footer.columns().get(index);
    if (!isRagged || column.lists() == 0) {
      return false;
    }
    if (column.isFloat()) {
      return column.rank() == VECTORS;
    }
    return column.rank() == 2
        && (isLabel(column) || isExample && PaddingMarks.isNamed(column.name()))
        && footer.columns().stream().anyMatch(own -> own.isFloat() && own.rank() == VECTORS);
  }

  /** Returns whether a column contains the labels. */
  boolean isLabel(TableColumn column) {
    return label.filter(column.name()::equals).isPresent();
  }

  /** Returns whether rows are single-token examples with sample metadata. */
  boolean isOneToken() {
    return isExample && !hasTokens;
  }

  /** Returns whether a column describes samples rather than tokens. */
  boolean isSample(TableColumn column) {
    return isExample && hasTokens && !column.isFloat() && !column.isArray();
  }
}
