package org.saevhadoop.format.samediff.dataset;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samediff.sdnb.SdnbFile;
import org.saevhadoop.format.samediff.sdnb.SdnbLayout;
import org.saevhadoop.format.samediff.sdnb.SdnbLimits;

/** Limits of the real loaders, which containers written by this project do not exceed. */
public final class ContainerLimits {
  /**
   * Number of bytes reserved for the graph and the manifest of a shard, more than any shard needs.
   */
  private static final long MARGIN_BYTES = 32 << 20;

  /**
   * Maximum number of bytes, before compression, that nd4j loads from an SDZ file: from all entries
   * together, or, in its newest version, from any one entry. This limit and the next one are the
   * defaults of the properties {@code nd4j.sdz.*} (SDZSerializer of deeplearning4j, commit
   * 0db14318).
   */
  private static final long SDZ_BYTES = 10L << 30;

  /** Maximum number of entries that nd4j loads from an SDZ file. */
  private static final int SDZ_ENTRIES = 1000;

  private static final int MAX_NAME = 100;

  /**
   * Number of bytes reserved for the names and values of this project's metadata entries, more than
   * they need.
   */
  private static final long OWN_TEXT_BYTES = 2 << 20;

  private ContainerLimits() {}

  /**
   * Returns the number of examples whose arrays fit in a shard.
   *
   * @param maxBytes the maximum total size of the arrays of a shard, or the maximum size of one
   *     array, in bytes
   * @param byArray whether the maximum applies to each array, because the arrays of the same
   *     examples may be in several shards
   */
  public static long examplesPerGroup(
      TableShape table, @Nullable LabelSource labels, long maxBytes, boolean byArray) {
    long bytes = labels == null ? 0 : labels.patches();
    for (int i = 0; i < table.columns().size(); i++) {
      bytes = byArray ? Math.max(bytes, table.blockBytes(i)) : bytes + table.blockBytes(i);
    }
    return Math.max(1, Math.min(maxBytes / Math.max(1, bytes), Math.max(1, table.examples())));
  }

  /**
   * Checks a plan of SDNB files.
   *
   * @throws FormatException if a file would be too large, or if there would be too many arrays
   */
  public static void check(String path, SdnbWritePlan plan) throws FormatException {
    WrittenArrays arrays = plan.arrays();
    checkArrays(path, arrays);
    long bytes = 0;
    for (int column = 0; column < arrays.columns(); column++) {
      bytes += arrays.exampleBytes(column) * arrays.examples(0);
    }
    checkFile(path, bytes);
  }

  /**
   * Checks a plan of an SDZ file.
   *
   * @throws FormatException if the real loader would refuse the file
   */
  public static void check(String path, SdzWritePlan plan) throws FormatException {
    WrittenArrays arrays = plan.arrays();
    checkArrays(path, arrays);
    long all = 0;
    for (int column = 0; column < arrays.columns(); column++) {
      checkFile(path, arrays.exampleBytes(column) * arrays.examples(0));
      all += arrays.exampleBytes(column) * arrays.table().examples();
    }
    DatasetError.TOO_LARGE.check(
        all <= SDZ_BYTES - MARGIN_BYTES,
        path,
        "would have %d bytes of arrays, but SameDiff refuses SDZ files of more than 10 GiB"
            + " (expected at most %d: use --container sdnb, or convert a part of the dataset)",
        all,
        SDZ_BYTES - MARGIN_BYTES);
    DatasetError.TOO_LARGE.check(
        plan.entryCount() <= SDZ_ENTRIES,
        path,
        "would have %d entries, but SameDiff refuses SDZ files with more than %d (expected a larger"
            + " --max-shard-bytes)",
        plan.entryCount(),
        SDZ_ENTRIES);
  }

  private static void checkFile(String path, long bytes) throws FormatException {
    DatasetError.TOO_LARGE.check(
        bytes <= SdnbLayout.MAX_BYTES - MARGIN_BYTES,
        path,
        "would have an SDNB file of %d bytes for one example (expected at most %d: choose fewer"
            + " layers or tokens)",
        bytes,
        SdnbLayout.MAX_BYTES - MARGIN_BYTES);
  }

  private static void checkArrays(String path, WrittenArrays arrays) throws FormatException {
    DatasetError.TOO_LARGE.check(
        arrays.groups() <= SdnbLimits.MAX_ARRAYS / arrays.columns(),
        path,
        "would have %d arrays for each of %d columns (expected at most %d in total: use a larger"
            + " --max-shard-bytes)",
        arrays.groups(),
        arrays.columns(),
        SdnbLimits.MAX_ARRAYS);
    checkTexts(path, arrays);
  }

  private static void checkTexts(String path, WrittenArrays arrays) throws FormatException {
    long bytes = OWN_TEXT_BYTES;
    for (Map.Entry<String, String> document : arrays.provenance().documents().entrySet()) {
      bytes += SdnbFile.textBytes(document.getKey()) + SdnbFile.textBytes(document.getValue());
    }
    for (int column = 0; column < arrays.columns(); column++) {
      String name = arrays.array(column, arrays.groups() - 1).name();
      long size = SdnbFile.textBytes(name);
      DatasetError.TOO_LARGE.check(
          size <= SdnbLimits.MAX_NAME_BYTES,
          path,
          "would have the array %s, whose name has %d bytes (expected at most %d)",
          Quote.show(name, MAX_NAME),
          size,
          SdnbLimits.MAX_NAME_BYTES);
      bytes += size * arrays.groups();
    }
    DatasetError.TOO_LARGE.check(
        bytes <= SdnbLimits.MAX_TEXT_BYTES,
        path,
        "would have %d bytes of names and metadata (expected at most %d: use a larger"
            + " --max-shard-bytes)",
        bytes,
        SdnbLimits.MAX_TEXT_BYTES);
  }
}
