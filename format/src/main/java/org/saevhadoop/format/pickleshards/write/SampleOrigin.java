package org.saevhadoop.format.pickleshards.write;

import org.saevhadoop.format.pickle.value.PythonValue;

/**
 * Where examples without attributes come from, as their {@code metadata} tells.
 *
 * @param source path of the dataset; null where it is not known
 * @param format name of its format; null where it is not known
 */
public record SampleOrigin(String source, String format) {
  /** Nothing but the example's number is told. */
  public static final SampleOrigin UNKNOWN = new SampleOrigin(null, null);

  PythonValue.Dict metadata(long example) {
    PythonValue.Dict metadata = new PythonValue.Dict(PythonValue.Dict.Kind.DICT);
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
