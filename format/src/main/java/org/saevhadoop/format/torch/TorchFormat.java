package org.saevhadoop.format.torch;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.format.ArrayFormat;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.kind.FileKind;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.torch.file.TorchReader;

/** The format of the ZIP files that torch.save writes. */
public final class TorchFormat extends ArrayFormat {
  @Override
  public String name() {
    return "torch";
  }

  @Override
  public String expected() {
    return "*.pt, *.pth, *.ckpt";
  }

  /** {@inheritDoc} Excludes {@code *.bin}, which many programs use. */
  @Override
  protected boolean isTypical(ArrayReader reader, String file) {
    return super.isTypical(reader, file) && !file.endsWith(".bin");
  }

  /**
   * Reads the first bytes of a file whose name is not conclusive, or of the first such file in a
   * folder.
   */
  @Override
  public FormatEvidence detect(Location location) throws IOException {
    FormatEvidence evidence = super.detect(location);
    if (evidence != FormatEvidence.NONE) {
      return evidence;
    }
    List<String> files =
        location.isFile()
            ? List.of(location.file())
            : location.files().keySet().stream().filter(ArrayFiles::isData).toList();
    boolean isKind = location.isFile() || new TorchReader().named(files).size() == files.size();
    if (!isKind || files.isEmpty()) {
      return FormatEvidence.NONE;
    }
    try (Input file = location.folder().open(files.get(0))) {
      return FileKind.of(file).equals(Optional.of(FileKind.TORCH))
          ? FormatEvidence.FAIR
          : FormatEvidence.NONE;
    }
  }

  @Override
  protected ArrayReader reader(Settings settings) {
    return new TorchReader();
  }
}
