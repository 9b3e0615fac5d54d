package org.saevhadoop.mapreduce.job;

import java.util.List;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWriter.Spool;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The output keys that are independent of the format. */
public final class OutputKeys {
  /** When the content of files is forced to the disk. */
  public enum Sync {
    AUTO,
    ALWAYS,
    NEVER;

    /** Returns whether files are forced to the disk on a file system. */
    public boolean forces(boolean local) {
      return this == ALWAYS || this == AUTO && local;
    }
  }

  /** Whether files are compared with the checksums that their storage keeps. */
  public enum Checksum {
    AUTO,
    OFF
  }

  private static final String INPUT_FORMAT = "org.saevhadoop.mapreduce.SaevInputFormat";

  public static final SettingKey<Geometry> GEOMETRY =
      SettingKey.of(
          "saev.output.geometry",
          SettingTypes.of(
              "SHAPE",
              "examples;layer,layer,...;tokens;dim, and ;dtype if it is not F32",
              OutputText::geometry,
              OutputText::of),
          null,
          "The shape of the activations that are written. Taken from saev.output.metadata if not set.");

  public static final SettingKey<TableShape> TABLE =
      SettingKey.of(
          "saev.output.table",
          SettingTypes.text(
              "JSON",
              "{examples, columns: [{name, dtype, shape}]}",
              OutputText::table,
              OutputText::of),
          null,
          "The shape of columns other than activations, as JSON {examples, columns: [{name, dtype,"
              + " shape}], numbers: [...]}. The numbers are those of the columns in the keys of"
              + " records: 0, 1, 2, ... if not given.");

  static final SettingKey<Provenance> PROVENANCE =
      SettingKey.internal(
          "saev.output.provenance",
          SettingTypes.text("JSON", "an object of strings", OutputText::provenance, OutputText::of),
          null,
          "The documents that travel with the activations.");

  public static final SettingKey<String> LABELS =
      dataset(
          "labels",
          "The dataset whose labels are written with the examples; it must have as many examples as"
              + " are written. No labels are written if not set.");

  public static final SettingKey<String> LABELS_FORMAT = formatOf(LABELS, INPUT_FORMAT);

  public static final SettingKey<String> SAMPLE_METADATA =
      dataset(
          "sample.metadata",
          "The dataset whose sample metadata is written with the examples, number by number. No"
              + " sample metadata is written if not set.");

  public static final SettingKey<String> SAMPLE_METADATA_FORMAT =
      formatOf(SAMPLE_METADATA, INPUT_FORMAT);

  public static final SettingKey<String> IDS =
      dataset(
          "ids",
          "The dataset whose ids name the examples that are written, number by number, by a format"
              + " that has ids (the kv layout of safetensors). Their numbers if not set.");

  public static final SettingKey<String> IDS_FORMAT =
      formatOf(IDS, "org.saevhadoop.mapreduce.SafetensorsInputFormat");

  public static final SettingKey<Spool> SPOOL =
      SettingKey.of(
          "saev.output.spool",
          SettingTypes.choice(Spool.class),
          "auto",
          "Whether blocks wait on the local disk until their file is complete: true accepts them in"
              + " any order, false requires the order of the file, auto spools records of whole"
              + " examples for files that are laid out by layer.");

  public static final SettingKey<String> PUBLISH =
      SettingKey.of(
          "saev.output.publish",
          SettingTypes.name("PATH", "a path"),
          null,
          "The path to which the finished dataset is moved when the job commits; it stays in the"
              + " output directory if not set.");

  public static final SettingKey<Boolean> REPLACE =
      SettingKey.of(
              "saev.output.replace",
              SettingTypes.bool(),
              "false",
              "Whether a dataset at saev.output.publish is replaced.")
          .flag(
              "--overwrite",
              "true",
              "Replace the dataset at the path to be written. It stays until the new one is complete;"
                  + " nothing but a dataset is replaced.")
          .everyday();

  public static final SettingKey<Sync> SYNC =
      SettingKey.of(
              "saev.output.sync",
              SettingTypes.choice(Sync.class),
              "auto",
              "When the files that are written are forced to the disk, before they are published:"
                  + " auto does so on local disks, and relies on the guarantees of HDFS for a"
                  + " closed file; always calls hsync on HDFS too; never leaves it to the system.")
          .flag(
              "--no-fsync",
              "never",
              "Do not force files to the disk before they are published: faster, but a power failure"
                  + " may leave an empty dataset and nothing of the replaced one.");

  public static final SettingKey<Checksum> CHECKSUM =
      SettingKey.of(
          "saev.output.checksum",
          SettingTypes.choice(Checksum.class),
          "auto",
          "Whether the CRC-32C of each file that is written is compared with the one that HDFS has"
              + " stored, before the file is committed: auto does so wherever HDFS has one.");

  public static final SettingKey<String> RUN =
      SettingKey.internalName(
          "saev.output.run", "The run that writes; its folder is next to saev.output.publish.");

  public static final SettingKey<Boolean> DEFERRED =
      SettingKey.internalFlag(
          "saev.output.publish.deferred",
          "Whether the client publishes the dataset, after the job.");

  public static final SettingKey<Boolean> DIRECT =
      SettingKey.internalFlag(
          "saev.output.direct",
          "Whether the run writes to saev.output.publish itself because its storage has no"
              + " rename.");

  private OutputKeys() {}

  private static SettingKey<String> dataset(String name, String help) {
    return SettingKey.of(
        "saev.output." + name, SettingTypes.name("PATH", "the path of a dataset"), null, help);
  }

  private static SettingKey<String> formatOf(SettingKey<String> dataset, String inputFormat) {
    return SettingKey.of(
        dataset.name() + ".format",
        SettingTypes.name("CLASS", "the class of an ActivationInputFormat"),
        inputFormat,
        "The class of the ActivationInputFormat that opens " + dataset.name() + ".");
  }

  /** Returns all keys of this class. */
  public static List<SettingKey<?>> all() {
    return List.of(
        GEOMETRY,
        TABLE,
        PROVENANCE,
        LABELS,
        LABELS_FORMAT,
        SAMPLE_METADATA,
        SAMPLE_METADATA_FORMAT,
        IDS,
        IDS_FORMAT,
        SPOOL,
        PUBLISH,
        REPLACE,
        SYNC,
        CHECKSUM,
        RUN,
        DEFERRED,
        DIRECT);
  }
}
