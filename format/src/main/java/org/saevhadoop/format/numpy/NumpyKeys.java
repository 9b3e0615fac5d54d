package org.saevhadoop.format.numpy;

import java.util.List;
import org.saevhadoop.format.numpy.file.RawArray;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The configuration keys for datasets of .npy files. */
public final class NumpyKeys {
  public static final SettingKey<Long> MAX_FILE_BYTES =
      SettingKey.of(
              "saev.output.npy.file.bytes",
              SettingTypes.whole(1, Long.MAX_VALUE),
              "1073741824",
              "The maximum size of the values in a .npy file, in bytes. Larger arrays are divided into"
                  + " parts; an example of a layer is never divided.")
          .option("--max-npy-bytes");

  public static final SettingKey<RawArray> RAW =
      SettingKey.of(
              "saev.input.raw",
              SettingTypes.text(
                  "DTYPE,N,M",
                  "a type and the sizes of an array, such as f2,1000,768 or bfloat16,-1,768",
                  RawArray::parse,
                  RawArray::toString),
              null,
              "Read each file as values without a header: an array of this type (a numpy name or"
                  + " a type of --dtype) and these sizes, in C order. One size may be -1: it"
                  + " follows from the length of the file.")
          .option("--raw");

  static final List<SettingKey<?>> WRITING = List.of(MAX_FILE_BYTES);

  private NumpyKeys() {}
}
