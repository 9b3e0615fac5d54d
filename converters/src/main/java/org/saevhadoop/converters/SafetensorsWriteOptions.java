package org.saevhadoop.converters;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Table;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.safetensors.Layout;
import org.saevhadoop.format.safetensors.SafetensorsTarget.Columns;
import org.saevhadoop.format.safetensors.SafetensorsTarget.Tail;
import org.saevhadoop.mapreduce.InputNumbers;
import org.saevhadoop.mapreduce.SaevConf;
import org.saevhadoop.mapreduce.SafetensorsOutputFormat;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a conversion to safetensors. */
final class SafetensorsWriteOptions {
  /** What is done about keys that come twice. */
  enum Duplicates {
    FAIL,
    LAST_WIN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  @Option(
      names = "--columns",
      paramLabel = "layers|acts",
      description =
          "safetensors: layers (a tensor layer_<l> [n, token, dim] for each layer; the default) or"
              + " acts (one tensor [n, layer, token, dim]).")
  Columns columns;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      description = "safetensors: examples a file (default: as many as make about 1 GiB).")
  Long batchSize;

  @Option(
      names = "--kv",
      description =
          "safetensors: a tensor <id><separator><column> for each example and column, instead of"
              + " tensors [n, ...]. The id is the example's number, or what it was in a source of"
              + " this layout.")
  boolean kv;

  @Option(
      names = "--kv-separator",
      paramLabel = "S",
      description = "safetensors, --kv: between id and column (default: __).")
  String separator;

  @Option(
      names = "--target-shard-mb",
      paramLabel = "N",
      description =
          "safetensors, --kv: MiB a file, 50 to 1000 (default: 300). A file ends before that where"
              + " its header would exceed saev.output.header.bytes.")
  Long shardMb;

  @Option(
      names = "--align",
      paramLabel = "N",
      description =
          "safetensors: the data of each file begins at a multiple of N bytes: 8 (as the reference;"
              + " the default), 64, 256, 4096 ...")
  Long alignment;

  @Option(
      names = "--index",
      negatable = true,
      description =
          "safetensors: write _tensor_index.parquet, which tells where each tensor lies (default:"
              + " with --kv only).")
  Boolean index;

  /**
   * Checks what picocli can not.
   *
   * @throws ParameterException where a value is wrong
   */
  void check(CommandLine line) {
    if (batchSize != null && batchSize < 1) {
      throw new ParameterException(line, "--batch-size is " + batchSize + " (expected at least 1)");
    }
    if (shardMb != null && (shardMb < 50 || shardMb > 1000)) {
      throw new ParameterException(
          line, "--target-shard-mb is " + shardMb + " (expected 50 to 1000)");
    }
    SourceOptions.checkSeparator(line, "--kv-separator", separator);
    if (alignment != null
        && (alignment < 8 || alignment > 1 << 20 || Long.bitCount(alignment) != 1)) {
      throw new ParameterException(
          line, "--align is " + alignment + " (expected a power of two from 8 to 1048576)");
    }
    if (kv && batchSize != null) {
      throw new ParameterException(line, "--batch-size and --kv exclude each other");
    }
    if (!kv && (separator != null || shardMb != null)) {
      throw new ParameterException(line, "--kv-separator and --target-shard-mb belong to --kv");
    }
  }

  /** Whether keys are written. */
  boolean keyed(Configuration conf) {
    return kv || SaevConf.OUTPUT_LAYOUT.getEnum(conf, Layout.class) == Layout.KV;
  }

  /**
   * Checks a tail that leaves examples out or invents some.
   *
   * @throws ParameterException where there are no batches, or none of a known size
   */
  void checkTail(CommandLine line, Tail tail, Configuration conf) {
    if (tail != null && tail != Tail.WRITE && keyed(conf)) {
      throw new ParameterException(line, "--tail drop or pad and --kv exclude each other");
    }
    if (tail != null
        && tail != Tail.WRITE
        && batchSize == null
        && SaevConf.OUTPUT_BATCH_SIZE.getLong(conf, 0) == 0) {
      throw new ParameterException(line, "--tail drop or pad needs --batch-size");
    }
  }

  /** Puts what is to be written into a job's configuration. */
  void configure(TableDataset dataset, Configuration conf) throws IOException {
    if (dataset instanceof ActivationDataset activations
        && activations.saevMetadata().isPresent()) {
      SaevOptions.carry(activations, conf);
    }
    Table table = InputNumbers.of(conf).table(dataset);
    boolean uniform = table.columns().stream().map(c -> c.dtype()).distinct().count() == 1;
    SaevConf.OUTPUT_TABLE.unset(conf);
    if (dataset instanceof ActivationDataset activations && uniform) {
      SafetensorsOutputFormat.setGeometry(
          conf, activations.geometry().as(table.columns().get(0).dtype()));
    } else {
      SafetensorsOutputFormat.setTable(conf, table);
    }
    set(conf, SaevConf.OUTPUT_COLUMNS, columns);
    set(conf, SaevConf.OUTPUT_BATCH_SIZE, batchSize);
    set(conf, SaevConf.OUTPUT_LAYOUT, kv ? "kv" : null);
    set(conf, SaevConf.OUTPUT_SEPARATOR, separator);
    set(conf, SaevConf.OUTPUT_SHARD_MB, shardMb);
    set(conf, SaevConf.OUTPUT_ALIGNMENT, alignment);
    set(conf, SaevConf.OUTPUT_INDEX, index);
  }

  private static void set(Configuration conf, SaevConf key, Object value) {
    if (value != null) {
      key.set(conf, value.toString());
    }
  }
}
