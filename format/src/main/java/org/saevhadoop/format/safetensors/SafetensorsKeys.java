package org.saevhadoop.format.safetensors;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.safetensors.header.HeaderEncoder;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.format.settings.ValueType;

/** The keys of safetensors files. */
public final class SafetensorsKeys {
  /** The handling of ids that occur more than once. */
  public enum Duplicates {
    FAIL,
    LAST_WIN
  }

  /** Whether a tensor index is written. */
  public enum Index {
    AUTO,
    TRUE,
    FALSE
  }

  /** A larger list would make the configuration, which every task reads, too large. */
  private static final int MAX_DROPPED = 100_000;

  public static final SettingKey<Optional<TensorLayout>> LAYOUT_READ =
      SettingKey.of(
              "saev.input.layout",
              SettingTypes.orWord("auto", SettingTypes.choice(TensorLayout.class)),
              "auto",
              "How the files hold examples: batch (tensors [n, ...]) or kv (a tensor for each"
                  + " key); auto detects it.")
          .option("--from-layout");

  public static final SettingKey<String> SEPARATOR_READ =
      SettingKey.of(
              "saev.input.separator",
              separator(),
              null,
              "The text between id and column in the keys of the kv layout. By default the one"
                  + " that the files record, or __ if they record none.")
          .option("--from-separator");

  public static final SettingKey<Boolean> LENIENT =
      SettingKey.of(
              "saev.input.lenient",
              SettingTypes.bool(),
              "false",
              "Whether the unusual headers that the reference accepts are accepted here too:"
                  + " repeated names (the last one counts), tensors as arrays, dtypes as objects.")
          .flag(
              "--lenient",
              "true",
              "Accept the unusual headers that the reference accepts: repeated names (the last one"
                  + " counts), tensors as arrays, dtypes as objects.");

  public static final SettingKey<Duplicates> DUPLICATES =
      SettingKey.of(
              "saev.input.duplicates",
              SettingTypes.choice(Duplicates.class),
              "fail",
              "How a conversion handles an id of the kv layout that occurs more than once: fail,"
                  + " or last-win, which keeps the last example.")
          .option("--duplicates");

  static final SettingKey<long[]> DROPPED =
      SettingKey.internal(
          "saev.input.drop",
          SettingTypes.of(
              "N,N", "ascending numbers", SafetensorsKeys::numbers, SafetensorsKeys::text),
          null,
          "The examples that a later example with the same id supersedes.");

  static final SettingKey<Long> IDS_MAX_BYTES =
      SettingKey.internal(
          "saev.input.ids.longest",
          SettingTypes.whole(0, Integer.MAX_VALUE),
          null,
          "Bytes of the longest id of the source.");

  static final SettingKey<Boolean> IDS_ARE_NUMBERS =
      SettingKey.internalFlag(
          "saev.input.ids.numbers",
          "Whether the ids of the source are the numbers of the examples.");

  public static final SettingKey<BatchWritePlan.Columns> COLUMNS =
      SettingKey.of(
              "saev.output.columns",
              SettingTypes.choice(BatchWritePlan.Columns.class),
              "layers",
              "The tensors of a file: layers (a tensor layer_<l> [n, token, dim] for each layer), acts"
                  + " (one tensor [n, layer, token, dim]) or rows (a tensor layer_<l> [n, dim] for"
                  + " each layer; examples have one token). If not set, rows for shuffled vectors,"
                  + " otherwise layers.")
          .option("--columns");

  public static final SettingKey<Long> BATCH_SIZE =
      SettingKey.of(
              "saev.output.batch.size",
              SettingTypes.whole(1, Long.MAX_VALUE),
              null,
              "The number of examples in a file. If it is not set, convert uses a sixteenth of the"
                  + " dataset, but at least 64 MiB and at most 1 GiB; other jobs take 1 GiB.")
          .option("--batch-size")
          .everyday();

  public static final SettingKey<BatchWritePlan.Tail> TAIL =
      SettingKey.of(
              "saev.output.batch.tail",
              SettingTypes.choice(BatchWritePlan.Tail.class),
              "write",
              "What happens to the last examples if they do not fill a file: write makes a shorter"
                  + " file, drop leaves them out, pad fills the file up with examples of zeros.")
          .option("--tail");

  public static final SettingKey<TensorLayout> LAYOUT =
      SettingKey.of(
              "saev.output.layout",
              SettingTypes.choice(TensorLayout.class),
              "batch",
              "How files hold examples: batch (a tensor [n, ...] for each column) or kv (a tensor for"
                  + " each example and column).")
          .flag(
              "--kv",
              "kv",
              "Write a tensor for each example and column, instead of tensors [n, ...]. Its name is"
                  + " <id><separator><column>; the id is the number of the example, or its id in a"
                  + " source of the same layout.")
          .everyday();

  public static final SettingKey<String> SEPARATOR =
      SettingKey.of(
              "saev.output.separator",
              separator(),
              "__",
              "The text between id and column in the keys of the kv layout.")
          .option("--kv-separator");

  public static final SettingKey<Long> SHARD_MB =
      SettingKey.of(
              "saev.output.shard.mb",
              SettingTypes.whole(50, 1000),
              "300",
              "The maximum size of a file of the kv layout, in MiB; a larger example has a file"
                  + " of its own. A file ends earlier if its header would exceed"
                  + " saev.output.header.bytes. If it is not set, convert uses a sixteenth of the dataset"
                  + " and 1 MiB for the header, but at least 65 and at most the default.")
          .option("--target-shard-mb");

  public static final SettingKey<Long> HEADER_BYTES =
      SettingKey.of(
          "saev.output.header.bytes",
          SettingTypes.whole(1, Long.MAX_VALUE),
          "1048576",
          "The maximum size of the header of a file of the kv layout, in bytes: fetching a key reads"
              + " a header.");

  public static final SettingKey<Long> ALIGNMENT =
      SettingKey.of(
              "saev.output.alignment",
              SettingTypes.whole(
                  "a power of two from 8 to " + HeaderEncoder.MAX_ALIGNMENT,
                  HeaderEncoder::isAlignment),
              "8",
              "The data of each file begins at a multiple of this many bytes; the reference uses 8.")
          .option("--align");

  public static final SettingKey<Index> INDEX =
      SettingKey.of(
              "saev.output.index",
              SettingTypes.choice(Index.class),
              "auto",
              "Whether _tensor_index.parquet is written, which maps each tensor to its file and offset; auto is"
                  + " true for the kv layout.")
          .flag(
              "--index",
              "true",
              "Write _tensor_index.parquet, which maps each tensor to its file and offset. By default with --kv"
                  + " only.")
          .flag("--no-index", "false", "Do not write _tensor_index.parquet, even with --kv.");

  static final List<SettingKey<?>> READING =
      List.of(
          ArrayKeys.TENSORS,
          ArrayKeys.FILES,
          ArrayKeys.LAYER_NAMES,
          ArrayKeys.TOKENS_PER_EXAMPLE,
          ArrayKeys.MASKS,
          ArrayKeys.SAMPLE_METADATA,
          ArrayKeys.RAGGED,
          ArrayKeys.ARRAYS,
          ArrayKeys.SURVEY,
          LAYOUT_READ,
          SEPARATOR_READ,
          LENIENT,
          DUPLICATES,
          DROPPED,
          IDS_MAX_BYTES,
          IDS_ARE_NUMBERS);

  static final List<SettingKey<?>> WRITING =
      List.of(
          COLUMNS, BATCH_SIZE, TAIL, LAYOUT, SEPARATOR, SHARD_MB, HEADER_BYTES, ALIGNMENT, INDEX);

  private SafetensorsKeys() {}

  private static ValueType<String> separator() {
    return SettingTypes.text(
        "S",
        "at least one character, and no control characters but tabs",
        SafetensorsKeys::checkSeparator);
  }

  private static void checkSeparator(String text) {
    if (!text.codePoints().allMatch(c -> c == '\t' || c >= ' ' && c < 0xfffe || c > 0xffff)) {
      throw new IllegalArgumentException();
    }
  }

  private static long[] numbers(String text) {
    return Arrays.stream(text.split(",")).mapToLong(Long::parseLong).sorted().toArray();
  }

  private static String text(long[] numbers) {
    if (numbers.length > MAX_DROPPED) {
      throw new IllegalArgumentException(
          Quote.sentence(
              "%d examples are superseded by others with the same id (expected at most %d)",
              numbers.length, MAX_DROPPED));
    }
    return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(","));
  }
}
