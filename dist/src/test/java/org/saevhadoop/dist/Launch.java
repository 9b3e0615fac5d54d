package org.saevhadoop.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A program that was run to its end. */
record Launch(int exitCode, String stdout, String stderr) {
  /** Runs a program in a folder, with these variables only. */
  static Launch of(Path folder, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", null);
    Path err = Files.createTempFile(folder, "err", null);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    int exitCode = builder.start().waitFor();
    return new Launch(exitCode, Files.readString(out), Files.readString(err));
  }
}
