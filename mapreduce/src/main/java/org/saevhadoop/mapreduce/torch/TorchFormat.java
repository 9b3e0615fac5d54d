package org.saevhadoop.mapreduce.torch;

import org.saevhadoop.format.arrays.ArrayReader;
import org.saevhadoop.format.torch.TorchReader;
import org.saevhadoop.mapreduce.arrays.ArrayFormat;
import org.saevhadoop.mapreduce.conf.Settings;

/** The format of files that torch.save writes, in their ZIP form. */
public final class TorchFormat extends ArrayFormat {
  @Override
  public String name() {
    return "torch";
  }

  @Override
  public String expected() {
    return "*.pt, *.pth, *.ckpt";
  }

  @Override
  protected ArrayReader reader(Settings settings) {
    return reader();
  }

  @Override
  protected ArrayReader reader() {
    return new TorchReader();
  }
}
