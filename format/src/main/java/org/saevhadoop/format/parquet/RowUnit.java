package org.saevhadoop.format.parquet;

import java.util.List;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.Axis;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.parquet.table.TableColumn;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.settings.Settings;

/**
 * What a row of a table is in the dataset.
 *
 * @param isExample whether it is an example, of which other columns are sample metadata
 * @param hasTokens whether it is an example of several tokens
 */
record RowUnit(boolean isExample, boolean hasTokens) {
  private static final RowUnit OTHER = new RowUnit(false, false);

  /** Finds out what the rows of a file are, as settings describe its columns. */
  static RowUnit of(TableFooter footer, Settings settings) {
    List<ArrayMapping> mappings = ArrayKeys.mappings(ArrayKeys.ofRows(settings, footer.ranks()));
    if (settings.get(ArrayKeys.TOKENS_PER_EXAMPLE) > 1
        || !settings.get(ArrayKeys.SAMPLE_METADATA)
        || !mappings.stream().allMatch(own -> own.axes().indexOf(Axis.EXAMPLE) == 0)) {
      return OTHER;
    }
    return new RowUnit(
        true,
        mappings.isEmpty()
            ? footer.columns().stream()
                .anyMatch(column -> column.isFloat() && column.isArray() && column.rank() > 2)
            : mappings.stream().anyMatch(own -> own.axes().contains(Axis.TOKEN)));
  }

  /** Returns whether a column describes samples rather than tokens. */
  boolean isSample(TableColumn column) {
    return isExample && hasTokens && !column.isFloat() && !column.isArray();
  }
}
