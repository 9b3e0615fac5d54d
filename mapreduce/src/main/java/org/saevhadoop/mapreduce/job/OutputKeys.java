package org.saevhadoop.mapreduce.job;

import java.util.List;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Table;
import org.saevhadoop.mapreduce.conf.Key;
import org.saevhadoop.mapreduce.conf.Types;

/** The keys of what is written, whatever the format. */
public final class OutputKeys {
  /** Whether blocks may wait on the local disk for the order of their file. */
  public enum Spool {
    AUTO,
    TRUE,
    FALSE
  }

  private static final String INPUT_FORMAT = "org.saevhadoop.mapreduce.SaevInputFormat";

  public static final Key<Geometry> GEOMETRY =
      Key.of(
          "saev.output.geometry",
          Types.of(
              "SHAPE",
              "examples;layer,layer,...;tokens;dim, and ;dtype if it is not F32",
              ShapeText::geometry,
              ShapeText::of),
          null,
          "The shape of the activations that are written. Taken from saev.output.metadata if not set.");

  public static final Key<Table> TABLE =
      Key.of(
          "saev.output.table",
          Types.text(
              "JSON",
              "{examples, columns: [{name, dtype, shape}]}",
              ShapeText::table,
              ShapeText::of),
          null,
          "The shape of columns other than activations, as JSON {examples, columns: [{name, dtype,"
              + " shape}], numbers: [...]}. The numbers are those of the columns in the keys of"
              + " records: 0, 1, 2, ... if not given.");

  static final Key<Provenance> PROVENANCE =
      Key.internal(
          "saev.output.provenance",
          Types.text("JSON", "an object of strings", ProvenanceText::parse, ProvenanceText::of),
          null,
          "What travels with the activations.");

  public static final Key<String> LABELS =
      Key.of(
          "saev.output.labels",
          Types.name("PATH", "the path of a dataset"),
          null,
          "The dataset whose labels are written with the examples; it must have as many examples as"
              + " are written. No labels are written if not set.");

  public static final Key<String> LABELS_FORMAT =
      Key.of(
          "saev.output.labels.format",
          Types.name("CLASS", "the class of an ActivationInputFormat"),
          INPUT_FORMAT,
          "The class of the ActivationInputFormat that opens saev.output.labels.");

  public static final Key<String> ATTRIBUTES =
      Key.of(
          "saev.output.attributes",
          Types.name("PATH", "the path of a dataset"),
          null,
          "The dataset whose sample metadata is written with the examples, number by number. No"
              + " sample metadata is written if not set.");

  public static final Key<String> ATTRIBUTES_FORMAT =
      Key.of(
          "saev.output.attributes.format",
          Types.name("CLASS", "the class of an ActivationInputFormat"),
          INPUT_FORMAT,
          "The class of the ActivationInputFormat that opens saev.output.attributes.");

  public static final Key<String> IDS =
      Key.of(
          "saev.output.ids",
          Types.name("PATH", "the path of a dataset"),
          null,
          "The dataset whose ids name the examples that are written, number by number, by a format"
              + " that has ids (the kv layout of safetensors). Their numbers if not set.");

  public static final Key<String> IDS_FORMAT =
      Key.of(
          "saev.output.ids.format",
          Types.name("CLASS", "the class of an ActivationInputFormat"),
          "org.saevhadoop.mapreduce.SafetensorsInputFormat",
          "The class of the ActivationInputFormat that opens saev.output.ids.");

  public static final Key<Spool> SPOOL =
      Key.of(
          "saev.output.spool",
          Types.choice(Spool.class),
          "auto",
          "Whether blocks wait on the local disk until their file is complete: true accepts them in"
              + " any order, false requires the order of the file, auto spools records of whole"
              + " examples for files that are laid out by layer.");

  public static final Key<String> PUBLISH =
      Key.of(
          "saev.output.publish",
          Types.name("PATH", "a path"),
          null,
          "The path to which the finished dataset is moved when the job commits; it stays in the"
              + " output directory if not set.");

  public static final Key<Boolean> REPLACE =
      Key.of(
              "saev.output.replace",
              Types.bool(),
              "false",
              "Whether a dataset at saev.output.publish is replaced.")
          .flag(
              "--overwrite",
              "true",
              "Replace the dataset at the path to be written. It stays until the new one is complete;"
                  + " nothing but a dataset is replaced.");

  private static final List<Key<?>> ALL =
      List.of(
          GEOMETRY,
          TABLE,
          PROVENANCE,
          LABELS,
          LABELS_FORMAT,
          ATTRIBUTES,
          ATTRIBUTES_FORMAT,
          IDS,
          IDS_FORMAT,
          SPOOL,
          PUBLISH,
          REPLACE);

  private OutputKeys() {}

  /** Returns all of them. */
  public static List<Key<?>> all() {
    return ALL;
  }
}
