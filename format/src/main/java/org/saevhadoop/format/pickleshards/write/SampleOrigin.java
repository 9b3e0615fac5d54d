package org.saevhadoop.format.pickleshards.write;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.pickle.value.PythonValue;

/**
 * Origin of examples without metadata, for their {@code metadata} entry.
 *
 * @param source the path of the dataset; null if unknown
 * @param format the name of its format; null if unknown
 */
public record SampleOrigin(@Nullable String source, @Nullable String format) {
  /** Unknown origin: only the number of the example is written. */
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
