package org.saevhadoop.converters.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder of a run that was killed, as the next run finds it. */
public final class KilledRun {
  private KilledRun() {}

  /** Returns the path of the folder of runs to a destination. */
  public static Path folder(Path destination) {
    return destination.resolveSibling("_" + destination.getFileName() + ".saev-hadoop");
  }

  /** Creates the folder of a run that was killed after it had begun. */
  public static Path of(Path destination) throws IOException {
    Path folder = Files.createDirectory(folder(destination));
    String record =
        """
        {"program": "saev-hadoop", "version": 1, "id": "a", "destination": "%s",
         "written": "%s", "settings": {}}
        """
            .formatted("file:" + destination, "file:" + folder.resolve("data"));
    Files.writeString(folder.resolve("run.json"), record);
    Files.createFile(folder.resolve("lock"));
    return folder;
  }
}
