package org.saevhadoop.format.samediff.dataset;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.samediff.sdnb.ArraySpec;
import org.saevhadoop.format.samediff.sdnb.SdnbType;
import org.saevhadoop.format.tensor.DType;

/**
 * The arrays of a dataset to be written: one array {@code <column>/shard_<i>} of shape {@code [n,
 * ...]} for each column and group of examples.
 *
 * @param table the shape of the dataset
 * @param examplesPerGroup the number of examples of each group except the last
 * @param provenance the documents for the metadata
 * @param labels the patch labels, which become a column {@code labels} of shape {@code [patch]};
 *     null if there are none
 * @param created the time of creation in milliseconds since 1970; null if it is not recorded
 */
public record WrittenArrays(
    TableShape table,
    long examplesPerGroup,
    Provenance provenance,
    @Nullable LabelSource labels,
    @Nullable Long created) {
  /** The part of an array name between the column name and the index of the array in the column. */
  static final String SHARD = "/shard_";

  /**
   * Returns the number of groups, which is at least 1, because without arrays there would be no
   * columns.
   */
  long groups() {
    return table.examples() == 0 ? 1 : (table.examples() - 1) / examplesPerGroup + 1;
  }

  /** Returns the number of the first example of a group. */
  long first(long group) {
    return group * examplesPerGroup;
  }

  long examples(long group) {
    return Math.min(examplesPerGroup, table.examples() - first(group));
  }

  /** Returns the number of columns, including labels. */
  int columns() {
    return table.columns().size() + (labels == null ? 0 : 1);
  }

  /** Returns whether a column contains the labels; this column follows all others. */
  boolean isLabels(int column) {
    return column == table.columns().size();
  }

  /** Returns the size of one example of a column, in bytes. */
  long exampleBytes(int column) {
    return labels != null && isLabels(column) ? labels.patches() : table.blockBytes(column);
  }

  ArraySpec array(int column, long group) {
    Column written =
        labels != null && isLabels(column)
            ? new Column(Column.LABELS, DType.U8, List.of((long) labels.patches()))
            : table.columns().get(column);
    List<Long> shape = new ArrayList<>(written.shape());
    shape.add(0, examples(group));
    SdnbType type =
        SdnbType.of(written.dtype())
            .orElseThrow(
                () -> new IllegalArgumentException("SameDiff has no type " + written.dtype()));
    return new ArraySpec(written.name() + SHARD + group, type, shape);
  }
}
