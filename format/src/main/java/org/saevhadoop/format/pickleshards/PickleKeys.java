package org.saevhadoop.format.pickleshards;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The setting keys for pickled shards. */
public final class PickleKeys {
  /** The scope in which the id of a sample is unique. */
  public enum Ids {
    DATASET,
    DIRECTORY
  }

  /** The handling of a sample that lacks a layer. */
  public enum Incomplete {
    ERROR,
    DROP
  }

  /** The compression of shards. */
  public enum Container {
    BGZF,
    SINGLE_MEMBER,
    NONE
  }

  /** The dtype of written arrays. */
  public enum Numbers {
    ORIGINAL,
    RECORD
  }

  public static final SettingKey<Ids> SAMPLE_IDS =
      SettingKey.of(
              "saev.input.sample.ids",
              SettingTypes.choice(Ids.class),
              "dataset",
              "Where a sample_idx is unique: in the whole dataset, or in its directory if each machine"
                  + " counted its own samples.")
          .option("--sample-ids");

  public static final SettingKey<Incomplete> INCOMPLETE =
      SettingKey.of(
              "saev.input.incomplete",
              SettingTypes.choice(Incomplete.class),
              "error",
              "What happens to a sample that lacks a layer: error fails, drop leaves it out.")
          .option("--incomplete");

  public static final SettingKey<Boolean> JOIN_HALVES =
      SettingKey.of(
              "saev.input.join.halves",
              SettingTypes.bool(),
              "false",
              "Whether the shards of host_2k and host_2k+1 hold halves of the same vectors, which are"
                  + " then joined.")
          .flag(
              "--join-halves",
              "true",
              "The shards of host_2k and host_2k+1 hold halves of the same vectors; join them.");

  /** Set by the client, which sees all samples. */
  static final SettingKey<Boolean> NUMBERED =
      SettingKey.internalFlag(
          "saev.output.pickle.numbered",
          "Whether a sample_idx is the number of the example because the ones of the samples"
              + " repeat.");

  static final SettingKey<Boolean> CHECKSUMS =
      SettingKey.internalFlag(
          "saev.input.checksums",
          "Whether tasks compute the checksums of their shards: a manifest states them.");

  public static final SettingKey<ActivationManifest.Form> DIALECT =
      SettingKey.of(
              "saev.output.pickle.dialect",
              SettingTypes.choice(ActivationManifest.Form.class),
              "spec",
              "The form of the shards. spec, for the loader of the specification, has keys layer_<l>,"
                  + " five fields in a sample, and metadata.json with checksums. real, for the programs"
                  + " of activation-extract such as its SAE trainer, has keys <l>, four fields, and"
                  + " their metadata.json; they find no samples in spec.")
          .option("--dialect");

  public static final SettingKey<Long> PROTOCOL =
      SettingKey.of(
              "saev.output.pickle.protocol",
              SettingTypes.oneOf(2, 4, 5),
              "4",
              "The pickle protocol. Python reads protocol 4 from 3.4 on and 5 from 3.8 on.")
          .option("--pickle-protocol");

  public static final SettingKey<Long> SHARD_MB =
      SettingKey.of(
              "saev.output.pickle.shard.mb",
              SettingTypes.whole(10, 2000),
              "200",
              "The maximum size of the values of a shard, in megabytes (10^6 bytes) before"
                  + " compression; a larger example has a shard of its own. If it is not set, convert uses a"
                  + " sixteenth of the dataset, but at least 64 MiB and at most the default.")
          .option("--shard-mb");

  public static final SettingKey<Container> CONTAINER =
      SettingKey.of(
              "saev.output.pickle.container",
              SettingTypes.choice(Container.class),
              "bgzf",
              "How shards are compressed: bgzf (gzip in blocks, which any gzip reader can read and"
                  + " several threads can inflate), single-member (gzip with one member) or none"
                  + " (.pkl).")
          .flag(
              "--single-member",
              "single-member",
              "Write gzip files with one member, as Python does, instead of BGZF.")
          .flag("--uncompressed", "none", "Write shard_<n>.pkl instead of shard_<n>.pkl.gz.");

  public static final SettingKey<Optional<Long>> LEVEL =
      SettingKey.of(
              "saev.output.pickle.level",
              SettingTypes.orWord("auto", SettingTypes.whole(0, 9)),
              "auto",
              "The compression level of gzip; auto chooses a strategy for each block by its content,"
                  + " which is fast, and for dense values compresses as well as level 9.")
          .option("--compression-level");

  public static final SettingKey<Numbers> DTYPE =
      SettingKey.of(
          "saev.output.pickle.dtype",
          SettingTypes.choice(Numbers.class),
          "original",
          "The type of arrays: original is the type that sample metadata records, or float32 if"
              + " none is recorded and float32 holds the values exactly; record is the type of"
              + " the records.");

  public static final SettingKey<String> SOURCE =
      SettingKey.of(
          "saev.output.pickle.source",
          SettingTypes.text("PATH", "a path"),
          null,
          "The path that the metadata of a sample names as its source, if the sample has no metadata.");

  public static final SettingKey<String> SOURCE_FORMAT =
      SettingKey.of(
          "saev.output.pickle.source.format",
          SettingTypes.text("FORMAT", "the name of a format"),
          null,
          "The format of the dataset at saev.output.pickle.source.");

  public static final SettingKey<String> CONFIG =
      SettingKey.of(
          "saev.output.pickle.config",
          SettingTypes.text("JSON", "a JSON object", ExtractionText::parseObject),
          null,
          "The facts about the extraction that metadata.json records: a JSON object with"
              + " extraction_config and distributed_config (objects), extraction_duration_seconds"
              + " (a number) and created_at (a text), as far as they are known.");

  public static final SettingKey<Instant> CREATED =
      SettingKey.of(
          "saev.output.pickle.created",
          SettingTypes.instant(),
          null,
          "The time of creation that metadata.json states. By default the time in the source's"
              + " metadata.json, or otherwise the time when the job was submitted.");

  static final List<SettingKey<?>> READING =
      List.of(ArrayKeys.RAGGED, SAMPLE_IDS, INCOMPLETE, JOIN_HALVES, CHECKSUMS);

  static final List<SettingKey<?>> WRITING =
      List.of(
          DIALECT,
          PROTOCOL,
          SHARD_MB,
          CONTAINER,
          LEVEL,
          DTYPE,
          SOURCE,
          SOURCE_FORMAT,
          CONFIG,
          CREATED,
          NUMBERED);

  private PickleKeys() {}
}
