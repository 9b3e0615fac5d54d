package org.saevhadoop.format.parquet;

import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The configuration keys for reading Parquet files. */
public final class ParquetKeys {
  public static final SettingKey<String> LAYER_COLUMN =
      SettingKey.of(
              "saev.input.layer.column",
              SettingTypes.text("NAME", "the name of a column of integers"),
              null,
              "The column of integers with the layer of each row of a Parquet table; columns"
                  + " example and token, if present, have the other numbers of the row. By"
                  + " default each row is an example.")
          .option("--layer-column");

  private ParquetKeys() {}
}
