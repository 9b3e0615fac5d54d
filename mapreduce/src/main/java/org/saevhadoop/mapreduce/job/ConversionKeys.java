package org.saevhadoop.mapreduce.job;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.normalize.Normalization;
import org.saevhadoop.format.normalize.NormalizeBy;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/**
 * The keys of conversions, and the internal keys by which a conversion passes values to its own
 * tasks.
 */
public final class ConversionKeys {
  /** The way in which blocks are brought into the order of the files. */
  public enum Plan {
    AUTO,
    MAP_ONLY,
    SHUFFLE
  }

  /** The data that is copied from the source in addition to the blocks. */
  public enum Carried {
    LABELS,
    SAMPLE_METADATA,
    IDS,
    /** Per-token integers, as arrays. */
    TOKEN_ARRAYS,
    /** Per-token integers, as sample metadata. */
    TOKEN_METADATA,
    /** The mask of padding, as an array, without any other per-token integers. */
    PADDING
  }

  public static final SettingKey<Plan> PLAN =
      SettingKey.of(
          "saev.convert.plan",
          SettingTypes.choice(Plan.class),
          "auto",
          "How convert brings blocks into the order of the files that it writes; auto chooses"
              + " map-only wherever a task may write a whole file.");

  public static final SettingKey<Long> REDUCERS =
      SettingKey.of(
          "saev.convert.reducers",
          SettingTypes.whole(0, 1_000_000),
          "0",
          "The number of reducers of a conversion through the shuffle. 0 means one for each file"
              + " that is written, but at most 64, or one for each core in the local runner.");

  public static final SettingKey<Boolean> SAMPLE_METADATA =
      SettingKey.of(
              "saev.convert.sample.metadata",
              SettingTypes.bool(),
              "true",
              "Whether the sample metadata of the source is written: texts, ids and everything"
                  + " else that is known about the examples besides their values.")
          .flag(
              "--no-sample-metadata",
              "false",
              "Do not write the sample metadata of SRC: texts, ids and everything else that is"
                  + " known about the examples besides their values.");

  public static final SettingKey<String> NORMALIZE =
      SettingKey.of(
              "saev.convert.normalize",
              SettingTypes.name("FILE", "a path"),
              null,
              "Normalize the vectors by the statistics in this file: a file of stats"
                  + " --to-safetensors, or activault's statistics.json if only one layer is read."
                  + " Values are computed as float64 and rounded once, to the type that is"
                  + " written.")
          .option("--normalize");

  public static final SettingKey<NormalizeBy> NORMALIZE_BY =
      SettingKey.of(
              "saev.convert.normalize.by",
              SettingTypes.choice(NormalizeBy.class),
              null,
              "How vectors are normalized: center subtracts the mean of the layer; scale multiplies by"
                  + " sqrt(dim / mean |x|^2); center-scale subtracts the mean, and multiplies by the"
                  + " scale of the differences.")
          .option("--normalize-by");

  public static final SettingKey<Boolean> NORMALIZE_AGAIN =
      SettingKey.of(
              "saev.convert.normalize.again",
              SettingTypes.bool(),
              "false",
              "Whether vectors that were normalized before, as their provenance records, may be"
                  + " normalized again.")
          .flag(
              "--again",
              "true",
              "Normalize vectors that were normalized before, as the provenance of SRC records.");

  public static final SettingKey<Boolean> SPACE_CHECK =
      SettingKey.of(
              "saev.convert.space",
              SettingTypes.bool(),
              "true",
              "Whether a conversion compares the size of the data files with the free space, on local"
                  + " disks and on HDFS, before it writes.")
          .flag(
              "--no-space-check",
              "false",
              "Do not compare the size of the data files with the free space before writing.");

  public static final SettingKey<Boolean> QUOTA_CHECK =
      SettingKey.of(
              "saev.convert.quota",
              SettingTypes.bool(),
              "false",
              "Whether a conversion compares the size of the data files with the quota of the folder"
                  + " in which it writes, on HDFS. Where that folder has no quota, the NameNode"
                  + " counts everything below it.")
          .flag(
              "--check-quota",
              "true",
              "Compare the size of the data files with the quota of the folder in which DST is"
                  + " created, on HDFS. Where that folder has no quota, the NameNode walks everything"
                  + " below it.");

  public static final SettingKey<Boolean> VERIFY =
      SettingKey.of(
              "saev.convert.verify",
              SettingTypes.bool(),
              "false",
              "Whether the dataset is read back and compared, byte for byte, with the conversion"
                  + " of the source.")
          .flag(
              "--verify",
              "true",
              "Read back what was written and compare it with SRC. All of its bytes are compared"
                  + " with the conversion of SRC; SRC and DST are read once more.")
          .everyday();

  public static final SettingKey<Boolean> RESUME =
      SettingKey.of(
              "saev.convert.resume",
              SettingTypes.bool(),
              "false",
              "Whether a conversion that failed or was killed is continued from its complete files.")
          .flag(
              "--resume",
              "true",
              "Continue a conversion that failed or was killed. Only the files that are not"
                  + " complete are written. Source and settings must be the same.")
          .everyday();

  public static final SettingKey<Boolean> TRUST_RUN_FOLDER =
      SettingKey.of(
              "saev.convert.trust",
              SettingTypes.bool(),
              "false",
              "Whether the folder that an interrupted conversion left may belong to another user.")
          .flag(
              "--trust-run-folder",
              "true",
              "Accept the folder that an interrupted conversion left even if it, or a file in it,"
                  + " belongs to another user. With --resume, files of that user are published.");

  public static final SettingKey<Long> LOCK_TIMEOUT =
      SettingKey.of(
          "saev.convert.lock.timeout",
          SettingTypes.whole(3, 86_400),
          "60",
          "On HDFS and object stores: the seconds without a renewal after which another"
              + " conversion may take over the lock on the path. A running conversion renews its"
              + " lock four times in this time.");

  public static final SettingKey<String> VERIFY_WRITTEN =
      SettingKey.internalName(
          "saev.convert.verify.written", "The folder of the dataset that is verified.");

  public static final SettingKey<String> WRITTEN =
      SettingKey.internalName("saev.convert.written", "The class of the format that is written.");

  static final SettingKey<Normalization> NORMALIZATION =
      SettingKey.internal(
          "saev.convert.normalization",
          SettingTypes.text(
              "BY:SHA256:FILE", "a normalization", Normalization::parse, Normalization::text),
          null,
          "How the values that are read are normalized.");

  static final SettingKey<List<Integer>> COLUMNS =
      SettingKey.internal(
          "saev.convert.columns",
          SettingTypes.integers("C,C", "indexes of columns"),
          "none",
          "The order in which columns are read, as indexes in the table.");

  static final SettingKey<Optional<ExampleSample>> SAMPLE =
      SettingKey.internal(
          "saev.convert.sample",
          SettingTypes.orWord(
              "all",
              SettingTypes.of(
                  "N:COUNT:SEED",
                  "a sample of examples",
                  ConversionKeys::parseSample,
                  sample -> sample.examples() + ":" + sample.count() + ":" + sample.seed())),
          "all",
          "The examples that are read: their number, how many of them, and a seed.");

  static final SettingKey<String> SOURCE =
      SettingKey.internalName("saev.convert.source", "The dataset that is read, with its storage.");

  static final SettingKey<String> SOURCE_FORMAT =
      SettingKey.internalName("saev.convert.source.format", "The class of its format.");

  static final SettingKey<Boolean> SOURCE_STAGED =
      SettingKey.internalFlag(
          "saev.convert.source.staged", "Whether that dataset was staged from a stream.");

  static final SettingKey<List<Carried>> CARRIED =
      SettingKey.internal(
          "saev.convert.carried",
          SettingTypes.sequence(
              "WHAT",
              "labels, sample metadata, ids, token arrays, token metadata",
              Carried::valueOf,
              Carried::name),
          "none",
          "What is copied from that dataset besides the blocks.");

  public static final SettingKey<List<ExampleRange>> MISSING =
      SettingKey.internal(
          "saev.convert.missing",
          SettingTypes.sequence(
              "A:B,A:B", "ranges of examples", ExampleRange::parse, ExampleRange::text),
          null,
          "The examples that a job reads: those of the files that are not complete.");

  public static final SettingKey<Boolean> RUNS =
      SettingKey.internalFlag(
          "saev.convert.runs",
          "Whether a record holds all blocks that follow one another in the order of the files.");

  public static final SettingKey<Boolean> WINDOWS =
      SettingKey.internalFlag(
          "saev.convert.windows",
          "Whether blocks are read as they are stored and written to files with random access.");

  private ConversionKeys() {}

  private static ExampleSample parseSample(String text) {
    long[] parts = Arrays.stream(text.split(":")).mapToLong(Long::parseLong).toArray();
    if (parts.length != 3) {
      throw new IllegalArgumentException();
    }
    return new ExampleSample(parts[0], parts[1], parts[2]);
  }

  /** Returns all keys of this class. */
  public static List<SettingKey<?>> all() {
    return List.of(
        PLAN,
        REDUCERS,
        SAMPLE_METADATA,
        NORMALIZE,
        NORMALIZE_BY,
        NORMALIZE_AGAIN,
        SPACE_CHECK,
        QUOTA_CHECK,
        VERIFY,
        RESUME,
        TRUST_RUN_FOLDER,
        LOCK_TIMEOUT,
        VERIFY_WRITTEN,
        WRITTEN,
        NORMALIZATION,
        COLUMNS,
        SAMPLE,
        SOURCE,
        SOURCE_FORMAT,
        SOURCE_STAGED,
        CARRIED,
        MISSING,
        RUNS,
        WINDOWS);
  }

  /** Returns the keys that request normalization. */
  public static List<SettingKey<?>> normalization() {
    return List.of(NORMALIZE, NORMALIZE_BY, NORMALIZE_AGAIN);
  }

  /** Returns the keys that name the dataset that is read, and the normalization of its values. */
  static List<SettingKey<?>> source() {
    return List.of(SOURCE, SOURCE_FORMAT, SOURCE_STAGED, NORMALIZATION);
  }
}
