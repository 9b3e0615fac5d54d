package org.saevhadoop.converters;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.format.ArrayFormat;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.InputBytes;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;

/** A container of arrays: a line {@code NAME SIZE SIZE} each, an empty line, and float32 values. */
final class ToyArrays extends ArrayFormat {
  @Override
  public String name() {
    return "toys";
  }

  @Override
  public String expected() {
    return "*.toys";
  }

  @Override
  protected ArrayReader reader(Settings settings) {
    return new Reader();
  }

  private record Reader() implements ArrayReader {
    @Override
    public boolean isNamed(String file) {
      return file.endsWith(".toys");
    }

    @Override
    public ArrayFile read(Folder folder, String file) throws IOException {
      List<String> lines = new ArrayList<>();
      int begin = 1;
      InputStreamReader text =
          new InputStreamReader(new InputBytes(folder.open(file)), StandardCharsets.US_ASCII);
      try (BufferedReader reader = new BufferedReader(text)) {
        for (String line = reader.readLine(); !line.isEmpty(); line = reader.readLine()) {
          lines.add(line);
          begin += line.length() + 1;
        }
      }
      List<FileArray> arrays = new ArrayList<>();
      for (String line : lines) {
        String[] words = line.split(" ");
        List<Long> shape = Arrays.stream(words).skip(1).map(Long::valueOf).toList();
        StridedLayout layout = StridedLayout.cOrder(begin, Float.BYTES, shape);
        arrays.add(new FileArray(words[0], DType.F32, layout));
        begin += (int) layout.length();
      }
      return ArrayFile.of(arrays);
    }
  }
}
