package org.saevhadoop.mapreduce.safetensors;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.saevhadoop.format.safetensors.BatchWritePlan;
import org.saevhadoop.format.safetensors.Layout;
import org.saevhadoop.format.safetensors.TensorMapping;
import org.saevhadoop.mapreduce.conf.Key;
import org.saevhadoop.mapreduce.conf.Types;
import org.saevhadoop.mapreduce.conf.ValueType;

/** The keys of safetensors files. */
public final class SafetensorsKeys {
  /** What is done about ids that come twice. */
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

  private static final String NO_INDEX = "Do not write _tensor_index.parquet, even with --kv.";
  private static final int MAX_ALIGNMENT = 1 << 20;

  /** More than a configuration should carry to every task. */
  private static final int MAX_DROPPED = 100_000;

  public static final Key<List<String>> TENSORS =
      Key.of(
              "saev.input.tensors",
              Types.list(
                  Types.text(
                      "NAME=example,layer,token,dim",
                      "NAME=example,layer,token,dim",
                      SafetensorsKeys::mapping,
                      text -> text)),
              null,
              "Interpret the tensor NAME as activations with these dimensions. layer and token may be"
                  + " left out; layer:13 or layer:10+11 gives the numbers of the layers. Given once"
                  + " for each tensor. By default the tensors layer_<l>, or acts, are activations.")
          .option("--tensor");

  public static final Key<Optional<Layout>> LAYOUT_READ =
      Key.of(
              "saev.input.layout",
              Types.orWord("auto", Types.choice(Layout.class)),
              "auto",
              "How the files hold examples: batch (tensors [n, ...]) or kv (a tensor for each key);"
                  + " auto decides by the files.")
          .option("--from-layout");

  public static final Key<String> SEPARATOR_READ =
      Key.of(
              "saev.input.separator",
              separator(),
              null,
              "What stands between id and column in the keys of the kv layout. By default what the"
                  + " files record, or __ if they record nothing.")
          .option("--from-separator");

  public static final Key<Boolean> LENIENT =
      Key.of(
              "saev.input.lenient",
              Types.bool(),
              "false",
              "Whether unusual headers are accepted that the reference accepts: repeated names (the"
                  + " last one counts), tensors as arrays, dtypes as objects.")
          .flag(
              "--lenient",
              "true",
              "Accept the unusual headers that the reference accepts: repeated names (the last one"
                  + " counts), tensors as arrays, dtypes as objects.");

  public static final Key<Duplicates> DUPLICATES =
      Key.of(
              "saev.input.duplicates",
              Types.choice(Duplicates.class),
              "fail",
              "How a conversion handles an id of the kv layout that occurs more than once: fail, or"
                  + " last-win, where the last example counts.")
          .option("--duplicates");

  static final Key<long[]> DROPPED =
      Key.internal(
          "saev.input.drop",
          Types.of("N,N", "ascending numbers", SafetensorsKeys::numbers, SafetensorsKeys::text),
          null,
          "The examples that another one of the same id supersedes.");

  static final Key<Long> IDS_MAX_BYTES =
      Key.internal(
          "saev.input.ids.longest",
          Types.whole(0, Integer.MAX_VALUE),
          null,
          "Bytes of the longest id of the source.");

  static final Key<Boolean> IDS_ARE_NUMBERS =
      Key.internal(
          "saev.input.ids.numbers",
          Types.bool(),
          "false",
          "Whether the ids of the source are the numbers of the examples.");

  public static final Key<BatchWritePlan.Columns> COLUMNS =
      Key.of(
              "saev.output.columns",
              Types.choice(BatchWritePlan.Columns.class),
              "layers",
              "The tensors of a file: layers (a tensor layer_<l> [n, token, dim] for each layer) or"
                  + " acts (one tensor [n, layer, token, dim]).")
          .option("--columns");

  public static final Key<Long> BATCH_SIZE =
      Key.of(
              "saev.output.batch.size",
              Types.of(
                  "N", "at least 1", SafetensorsKeys::batchSize, value -> Long.toString(value)),
              null,
              "The number of examples in a file. By default as many as make about 1 GiB.")
          .option("--batch-size");

  public static final Key<BatchWritePlan.Tail> TAIL =
      Key.of(
              "saev.output.batch.tail",
              Types.choice(BatchWritePlan.Tail.class),
              "write",
              "What happens to the last examples if they do not fill a file: write makes a shorter"
                  + " file, drop leaves them out, pad fills the file up with examples of zeros.")
          .option("--tail");

  public static final Key<Layout> LAYOUT =
      Key.of(
              "saev.output.layout",
              Types.choice(Layout.class),
              "batch",
              "How files hold examples: batch (a tensor [n, ...] for each column) or kv (a tensor for"
                  + " each example and column).")
          .flag(
              "--kv",
              "kv",
              "Write a tensor <id><separator><column> for each example and column, instead of tensors"
                  + " [n, ...]. The id is the number of the example, or its id in a source of the"
                  + " same layout.");

  public static final Key<String> SEPARATOR =
      Key.of(
              "saev.output.separator",
              separator(),
              "__",
              "What stands between id and column in the keys of the kv layout.")
          .option("--kv-separator");

  public static final Key<Long> SHARD_MB =
      Key.of(
              "saev.output.shard.mb",
              Types.whole(50, 1000),
              "300",
              "MiB that a file of the kv layout has at most; an example that is larger has a file of"
                  + " its own. A file ends before that where its header would exceed"
                  + " saev.output.header.bytes.")
          .option("--target-shard-mb");

  public static final Key<Long> HEADER_BYTES =
      Key.of(
          "saev.output.header.bytes",
          Types.whole(1, Long.MAX_VALUE),
          "1048576",
          "The maximum size of the header of a file of the kv layout, in bytes: fetching a key reads"
              + " a header.");

  public static final Key<Long> ALIGNMENT =
      Key.of(
              "saev.output.alignment",
              Types.of(
                  "N",
                  "a power of two from 8 to " + MAX_ALIGNMENT,
                  SafetensorsKeys::alignment,
                  value -> Long.toString(value)),
              "8",
              "The data of each file begins at a multiple of this many bytes; the reference uses 8.")
          .option("--align");

  public static final Key<Index> INDEX =
      Key.of(
              "saev.output.index",
              Types.choice(Index.class),
              "auto",
              "Whether _tensor_index.parquet is written, which says where each tensor lies; auto is"
                  + " true for the kv layout.")
          .flag(
              "--index",
              "true",
              "Write _tensor_index.parquet, which says where each tensor lies. By default with --kv"
                  + " only.")
          .flag("--no-index", "false", NO_INDEX);

  private static final List<Key<?>> READING =
      List.of(
          TENSORS,
          LAYOUT_READ,
          SEPARATOR_READ,
          LENIENT,
          DUPLICATES,
          DROPPED,
          IDS_MAX_BYTES,
          IDS_ARE_NUMBERS);

  private static final List<Key<?>> WRITING =
      List.of(
          COLUMNS, BATCH_SIZE, TAIL, LAYOUT, SEPARATOR, SHARD_MB, HEADER_BYTES, ALIGNMENT, INDEX);

  private SafetensorsKeys() {}

  static List<Key<?>> reading() {
    return READING;
  }

  static List<Key<?>> writing() {
    return WRITING;
  }

  private static ValueType<String> separator() {
    return Types.text(
        "S",
        "at least one character, and no control characters but tabs",
        SafetensorsKeys::separator,
        text -> text);
  }

  private static String separator(String text) {
    if (!text.codePoints().allMatch(c -> c == '\t' || c >= ' ' && c < 0xfffe || c > 0xffff)) {
      throw new IllegalArgumentException();
    }
    return text;
  }

  private static String mapping(String text) {
    TensorMapping.parse(text);
    return text;
  }

  private static Long batchSize(String text) {
    long size = Long.parseLong(text);
    if (size < 1) {
      throw new IllegalArgumentException();
    }
    return size;
  }

  private static Long alignment(String text) {
    long alignment = Long.parseLong(text);
    if (alignment < BatchWritePlan.ALIGNMENT
        || alignment > MAX_ALIGNMENT
        || Long.bitCount(alignment) != 1) {
      throw new IllegalArgumentException();
    }
    return alignment;
  }

  private static long[] numbers(String text) {
    return Arrays.stream(text.split(",")).mapToLong(Long::parseLong).sorted().toArray();
  }

  private static String text(long[] numbers) {
    if (numbers.length > MAX_DROPPED) {
      throw new IllegalArgumentException(
          "%d examples are superseded by others of the same id (expected at most %d)"
              .formatted(numbers.length, MAX_DROPPED));
    }
    return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(","));
  }
}
