package org.saevhadoop.format.activations;

import org.saevhadoop.format.pickle.Py;

/**
 * Where examples without attributes come from, as their {@code metadata} tells.
 *
 * @param source path of the dataset; null where it is not known
 * @param format name of its format; null where it is not known
 */
public record Origin(String source, String format) {
  /** Nothing but the example's number is told. */
  public static final Origin UNKNOWN = new Origin(null, null);

  Py.Dict metadata(long example) {
    Py.Dict metadata = new Py.Dict(Py.Dict.Kind.DICT);
    if (source != null) {
      metadata.append("source", source);
    }
    if (format != null) {
      metadata.append("source_format", format);
    }
    metadata.append("example", example);
    return metadata;
  }
}
