package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.source.OpenedSource;

/**
 * The sizes that a conversion announces if written values take much more or less space than the
 * source, because of padding, another type, or compression. Headers and documents are not counted.
 *
 * @param source the shape of the source, with the stored types
 * @param plan the files that are written
 * @param sparse whether padding takes no space on the disk, because files may have holes
 * @param unpadded the format option with which the last file is not padded
 */
record ExpectedSizes(TableShape source, WritePlan plan, boolean sparse, Optional<String> unpadded) {
  /** The factor above which a difference in size is reported. */
  private static final double MUCH = 1.2;

  static ExpectedSizes of(OpenedSource source, WritePlan plan, boolean sparse, DatasetFormat to)
      throws IOException {
    return new ExpectedSizes(
        source.dataset().table(), plan, sparse, to.requireWriting().unpaddedOption());
  }

  /** Returns the lines for the user; empty if the sizes are about the same. */
  List<String> lines() {
    TableShape table = plan.table();
    long read = source.examples() * source.exampleBytes();
    long values = table.examples() * table.exampleBytes();
    long paper = values + plan.paddedExamples() * table.exampleBytes();
    boolean padded = paper > MUCH * values;
    if (values == 0 || !padded && !plan.isCompressed() && !differ(read, values)) {
      return List.of();
    }
    String line = "source " + ByteSizes.show(read);
    String target = ", target " + ByteSizes.show(paper);
    List<String> lines = new ArrayList<>();
    if (padded) {
      lines.add(
          line + target + (sparse ? " on paper, " + ByteSizes.show(values) + " on disk" : ""));
      lines.add(
          "the last file is padded"
              + unpadded.map(" (%s ends it with its examples)"::formatted).orElse(""));
    } else {
      boolean types = differ(read, values);
      lines.add(
          line
              + (types ? types(source) : "")
              + target
              + (types ? types(table) : "")
              + (plan.isCompressed() ? " before compression" : ""));
    }
    return lines;
  }

  private static boolean differ(long one, long other) {
    return Math.max(one, other) > MUCH * Math.min(one, other);
  }

  /** Returns the type of the columns, if all have the same type. */
  private static String types(TableShape table) {
    List<DType> types = table.columns().stream().map(column -> column.dtype()).distinct().toList();
    return types.size() == 1 ? " of " + types.get(0).numpyName() : "";
  }
}
