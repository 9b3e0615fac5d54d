package org.saevhadoop.format.numpy;

import java.util.List;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The keys of datasets of .npy files. */
public final class NumpyKeys {
  public static final SettingKey<Long> MAX_FILE_BYTES =
      SettingKey.of(
              "saev.output.npy.file.bytes",
              SettingTypes.whole(1, Long.MAX_VALUE),
              "1073741824",
              "The maximum size of the values in a .npy file, in bytes. Larger arrays are divided into"
                  + " parts; an example of a layer is never divided.")
          .option("--max-npy-bytes");

  static final List<SettingKey<?>> WRITING = List.of(MAX_FILE_BYTES);

  private NumpyKeys() {}
}
