package org.saevhadoop.mapreduce.numpy;

import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.arrays.ArrayReader;
import org.saevhadoop.format.numpy.file.NumpyReader;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.arrays.ArrayFormat;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.SettingTypes;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.spi.DatasetWriting;

/** The format of numpy's arrays: .npy and .npz files, and memory maps beside a .meta document. */
public final class NpyFormat extends ArrayFormat {
  public static final SettingKey<Optional<DType>> STORED_AS =
      SettingKey.of(
              "saev.input.dtype.stored",
              SettingTypes.orWord("same", SettingTypes.choice(DType.class)),
              "same",
              "The type of the values in arrays of two-byte integers, or of the type V2 that numpy"
                  + " shows for bfloat16, such as BF16.")
          .option("--dtype-stored");

  @Override
  public String name() {
    return "npy";
  }

  @Override
  public String expected() {
    return "*.npy, *.npz, *.memmap";
  }

  @Override
  protected ArrayReader reader(Settings settings) {
    return new NumpyReader(settings.get(STORED_AS).orElse(null));
  }

  @Override
  protected ArrayReader reader() {
    return new NumpyReader(null);
  }

  @Override
  public Optional<DatasetWriting> writing() {
    return Optional.of(new NumpyWriting());
  }

  @Override
  protected List<SettingKey<?>> ownKeys() {
    return List.of(STORED_AS);
  }
}
