package org.saevhadoop.mapreduce;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/** Every key of this project: its name, its default and what it means. */
public enum SaevConf {
  INPUT_RECORD(
      "saev.input.record",
      "example",
      "What one record is: example ([layer, token, dim]), block ([token, dim]) or vector ([dim])."),
  INPUT_LAYERS(
      "saev.input.layers",
      "all",
      "The layers to read, as the model counts them, separated by commas and in the order in which"
          + " to read them; all: as they are stored. Others are not read."),
  INPUT_TOKENS(
      "saev.input.tokens",
      "all",
      "The tokens to read: cls (or special), image (or content) or all. SAEV only says which token"
          + " is [CLS]. Others are not read, but for what is cheaper to read than to skip."),
  INPUT_ORDER(
      "saev.input.order",
      "example",
      "The order of the blocks: example (all layers of an example, then the next) or layer (all"
          + " examples of a group in one layer, then the next layer; needs saev.input.record=block"
          + " or vector)."),
  INPUT_GROUP(
      "saev.input.group",
      "1",
      "Splits begin only at multiples of this many examples; with saev.input.order=layer it is the"
          + " size of a group, too."),
  INPUT_LIMIT(
      "saev.input.limit", "-1", "Only so many examples are read, the first ones; -1: all of them."),
  INPUT_DTYPE(
      "saev.input.dtype",
      "",
      "The numbers that records hold: a dtype (F32, float16 ...) for all columns, NAME=DTYPE for"
          + " one, several separated by semicolons (\\; in a name), or stored. By default activations"
          + " are float32, which must hold them exactly, and other columns are as stored."),
  INPUT_ROUNDING(
      "saev.input.rounding",
      "nearest-even",
      "How numbers become others: nearest-even (as numpy) or truncate (byte for byte as"
          + " safetensors-spark)."),
  INPUT_RANGE(
      "saev.input.range",
      "error",
      "What becomes of a number that an integer dtype can not hold: error, saturate or wrap."),
  INPUT_TENSORS(
      "saev.input.tensors",
      "",
      "safetensors: which tensors are activations, as NAME=example,layer,token,dim, several"
          + " separated by semicolons (\\; in a name); told by their names where empty."),
  INPUT_LAYOUT(
      "saev.input.layout",
      "auto",
      "safetensors: how the files hold examples, batch or kv (a tensor for each key); auto tells it"
          + " by the files."),
  INPUT_SEPARATOR(
      "saev.input.separator",
      "",
      "safetensors: what stands between id and column in the keys of the kv layout; where empty,"
          + " what the files say, else __."),
  INPUT_RAGGED(
      "saev.input.ragged",
      "error",
      "Pickled shards: what becomes of samples of different lengths: error (tells the lengths),"
          + " flatten (each token is an example), truncate:N, or pad:N[:VALUE]."),
  INPUT_SAMPLE_IDS(
      "saev.input.sample.ids",
      "dataset",
      "Pickled shards: where a sample_idx names one sample: in the whole dataset, or in its directory"
          + " (each machine counted its own)."),
  INPUT_INCOMPLETE(
      "saev.input.incomplete",
      "error",
      "Pickled shards: what becomes of a sample that lacks a layer: error or drop."),
  INPUT_JOIN_HALVES(
      "saev.input.join.halves",
      "false",
      "Pickled shards: whether the shards of host_2k and host_2k+1 hold halves of the same vectors,"
          + " which are joined."),
  INPUT_LENIENT(
      "saev.input.lenient",
      "false",
      "safetensors: whether headers are accepted that the reference accepts though they are odd:"
          + " names that come twice, tensors as arrays, dtypes as objects."),
  INPUT_DUPLICATES(
      "saev.input.duplicates",
      "fail",
      "safetensors: what is done about a key of the kv layout that comes twice in a dataset: fail,"
          + " or last-win."),
  INPUT_DROP(
      "saev.input.drop",
      "",
      "Set by convert itself: the examples that another of the same key wins."),
  OUTPUT_SAEV_METADATA(
      "saev.output.metadata",
      "",
      "The text of the metadata.json that belongs to the activations, plain or as Base64 (which"
          + " keeps every byte). SaevOutputFormat needs it;"
          + " SafetensorsOutputFormat puts it into each file's __metadata__."),
  OUTPUT_SAEV_DIRECTORY(
      "saev.output.directory",
      "",
      "The name of the SAEV directory that the activations come from, where it is not the hash of its"
          + " metadata; SafetensorsOutputFormat lets it travel with them."),
  OUTPUT_LABELS(
      "saev.output.labels",
      "",
      "The dataset whose labels belong to the examples that are written, with as many examples, and"
          + " are to be written with them; without labels where empty."),
  OUTPUT_LABELS_FORMAT(
      "saev.output.labels.format",
      "org.saevhadoop.mapreduce.SaevInputFormat",
      "The class of the ActivationInputFormat that opens saev.output.labels."),
  OUTPUT_ATTRIBUTES(
      "saev.output.attributes",
      "",
      "The dataset whose attributes belong to the examples that are written, number by number, and"
          + " are to be written with them; without attributes where empty."),
  OUTPUT_ATTRIBUTES_FORMAT(
      "saev.output.attributes.format",
      "org.saevhadoop.mapreduce.SaevInputFormat",
      "The class of the ActivationInputFormat that opens saev.output.attributes."),
  OUTPUT_TAIL(
      "saev.output.tail",
      "full",
      "The length of a last SAEV shard: full (as the project's readers demand) or exact."),
  OUTPUT_COLUMNS(
      "saev.output.columns",
      "layers",
      "The tensors of a safetensors file: layers (layer_<l> of [n, token, dim] each) or acts (one of"
          + " [n, layer, token, dim])."),
  OUTPUT_BATCH_SIZE(
      "saev.output.batch.size",
      "0",
      "Examples in a safetensors file; 0: as many as make about 1 GiB."),
  OUTPUT_BATCH_TAIL(
      "saev.output.batch.tail",
      "write",
      "The last examples where they do not fill a safetensors file: write (a shorter file), drop or"
          + " pad (with examples of zeros)."),
  OUTPUT_LAYOUT(
      "saev.output.layout",
      "batch",
      "How safetensors files hold examples: batch (a tensor [n, ...] for each column) or kv (a"
          + " tensor for each example and column)."),
  OUTPUT_SEPARATOR(
      "saev.output.separator",
      "__",
      "What stands between id and column in the keys of the kv layout."),
  OUTPUT_SHARD_MB(
      "saev.output.shard.mb",
      "300",
      "MiB that a file of the kv layout has at most, from 50 to 1000; an example that is larger has"
          + " a file of its own."),
  OUTPUT_HEADER_BYTES(
      "saev.output.header.bytes",
      "1048576",
      "Bytes that the header of a file of the kv layout has at most: to read one key is to read one"
          + " header."),
  OUTPUT_ALIGNMENT(
      "saev.output.alignment",
      "8",
      "The data of a safetensors file begins at a multiple of so many bytes: a power of two from 8"
          + " on."),
  OUTPUT_INDEX(
      "saev.output.index",
      "auto",
      "Whether _tensor_index.parquet is written, which tells where each tensor of a safetensors"
          + " dataset lies: true, false, or auto, which is true for the kv layout."),
  OUTPUT_IDS(
      "saev.output.ids",
      "",
      "The dataset in the kv layout whose ids name the examples that are written in it; their"
          + " numbers where empty."),
  OUTPUT_IDS_LONGEST(
      "saev.output.ids.longest", "0", "Set by convert itself: bytes of the longest of these ids."),
  OUTPUT_TABLE(
      "saev.output.table",
      "",
      "Shape of what SafetensorsOutputFormat writes, where it is no activations: JSON {examples,"
          + " columns: [{name, dtype, shape}], numbers: [...]}, the numbers being what records call"
          + " the columns, 0, 1, 2 ... without."),
  OUTPUT_GEOMETRY(
      "saev.output.geometry",
      "",
      "Shape of what SafetensorsOutputFormat or ActivationPickleOutputFormat writes:"
          + " examples;layer,layer,...;tokens;dim, and ;dtype where it is not F32. Taken from"
          + " saev.output.metadata where empty."),
  OUTPUT_PICKLE_DIALECT(
      "saev.output.pickle.dialect",
      "spec",
      "Whose keys and metadata.json pickled shards have: spec (layer_15, and each sample has"
          + " metadata) or real (15, as the tools behind the specification want)."),
  OUTPUT_PICKLE_PROTOCOL(
      "saev.output.pickle.protocol", "4", "The protocol of pickled shards: 2, 4 or 5."),
  OUTPUT_PICKLE_SHARD_MB(
      "saev.output.pickle.shard.mb",
      "200",
      "Megabytes (10^6) of numbers that a pickled shard has at most before compression, from 10 to"
          + " 2000; an example that is larger has a shard of its own."),
  OUTPUT_PICKLE_CONTAINER(
      "saev.output.pickle.container",
      "bgzf",
      "What pickled shards are in: bgzf (gzip in blocks, which several threads can inflate),"
          + " single-member (gzip as one member) or none (.pkl)."),
  OUTPUT_PICKLE_LEVEL(
      "saev.output.pickle.level",
      "auto",
      "gzip's level for pickled shards: 0 to 9, or auto, which chooses for each block by its"
          + " content."),
  OUTPUT_PICKLE_DTYPE(
      "saev.output.pickle.dtype",
      "original",
      "The type of pickled arrays: original (the one that attributes tell; without them float32,"
          + " where that holds the numbers exactly) or record (that of the records)."),
  OUTPUT_PICKLE_SOURCE(
      "saev.output.pickle.source",
      "",
      "Path of the dataset that the metadata of pickled samples names, where they have no"
          + " attributes."),
  OUTPUT_PICKLE_SOURCE_FORMAT(
      "saev.output.pickle.source.format", "", "Name of that dataset's format."),
  OUTPUT_PICKLE_CONFIG(
      "saev.output.pickle.config",
      "",
      "What the metadata.json of pickled shards says of the activations' making: a JSON object of"
          + " extraction_config, distributed_config (objects) and extraction_duration_seconds (a"
          + " number), as far as they are known."),
  OUTPUT_PICKLE_CREATED(
      "saev.output.pickle.created",
      "",
      "When metadata.json says that the pickled shards were made: 2026-01-31T12:00:00Z; when the"
          + " job was submitted where empty."),
  OUTPUT_SPOOL(
      "saev.output.spool",
      "auto",
      "Whether blocks wait on the local disk until their file is complete: true takes them in any"
          + " order, false demands the file's own order, auto spools records of whole examples for"
          + " files that are laid out by layer."),
  OUTPUT_PUBLISH(
      "saev.output.publish",
      "",
      "Where the finished dataset is moved when the job commits; it stays in the output directory"
          + " where empty."),
  OUTPUT_REPLACE(
      "saev.output.replace",
      "false",
      "Whether a dataset that lies at saev.output.publish is replaced."),
  CONVERT_PLAN(
      "saev.convert.plan",
      "auto",
      "How convert brings blocks into the target's order: map-only, shuffle, or auto, which takes"
          + " map-only wherever a task may hold a whole target file."),
  CONVERT_REDUCERS(
      "saev.convert.reducers",
      "0",
      "Reducers of a conversion through the shuffle; 0: one for each target file, at most 64, or at"
          + " most one for each core in the local runner."),
  DIGEST_BLOCKS(
      "saev.digest.blocks", "0", "Set by the digest job itself: how many blocks there must be."),
  DIGEST_LAYERS(
      "saev.digest.layers", "", "Set by the digest job itself: the layers in ascending order.");

  private final String key;
  private final String defaultValue;
  private final String help;

  SaevConf(String key, String defaultValue, String help) {
    this.key = key;
    this.defaultValue = defaultValue;
    this.help = help;
  }

  /** The key's name. */
  public String key() {
    return key;
  }

  /** Its value where none is set. */
  public String defaultValue() {
    return defaultValue;
  }

  /** What it means, in a sentence or two. */
  public String help() {
    return help;
  }

  /** The key's value as text. */
  public String get(Configuration conf) {
    return conf.getTrimmed(key, defaultValue);
  }

  /** The key's value as it was set: blanks are kept, and nothing in it is expanded. */
  public String getPlain(Configuration conf) {
    String value = conf.getRaw(key);
    return value == null ? defaultValue : value;
  }

  /** The key's value as texts that are separated by semicolons; {@code \\;} is one in a text. */
  public List<String> getList(Configuration conf) {
    return ListText.parse(get(conf));
  }

  /** Sets the key to texts, whatever is in them. */
  public void setList(Configuration conf, List<String> texts) {
    set(conf, ListText.of(texts));
  }

  /** Forgets the key. */
  public void unset(Configuration conf) {
    conf.unset(key);
  }

  /** Sets the key. */
  public void set(Configuration conf, String value) {
    conf.set(key, value);
  }

  /**
   * The key's value as a whole number of at least {@code least}.
   *
   * @throws IllegalArgumentException where it is none
   */
  public long getLong(Configuration conf, long least) {
    try {
      long value = Long.parseLong(get(conf));
      if (value >= least) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw wrong(conf, "a whole number of at least " + least, e);
    }
    throw wrong(conf, "a whole number of at least " + least, null);
  }

  /**
   * The key's value as a constant, its name in lower case and with hyphens.
   *
   * @throws IllegalArgumentException where it is none
   */
  public <E extends Enum<E>> E getEnum(Configuration conf, Class<E> type) {
    try {
      return Enum.valueOf(type, get(conf).toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      String names = Arrays.toString(type.getEnumConstants());
      throw wrong(conf, "one of " + names.toLowerCase(Locale.ROOT).replace('_', '-'), e);
    }
  }

  private IllegalArgumentException wrong(Configuration conf, String expected, Exception cause) {
    return new IllegalArgumentException(
        "%s is \"%s\" (expected %s)".formatted(key, get(conf), expected), cause);
  }
}
