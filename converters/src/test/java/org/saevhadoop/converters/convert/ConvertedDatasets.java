package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;

/** Datasets that a conversion has written, and their digests. */
public abstract class ConvertedDatasets {
  @TempDir protected Path folder;

  /** Converts to a folder of a name, and returns the path that is printed. */
  protected Path convert(Object from, String name, String options, Object... more) {
    return Cli.convert(from, folder.resolve(name), options, more).succeeds().lastLinePath();
  }

  /** The bytes of the tensor {@code labels} of all parts, which is the last of each. */
  static byte[] labelsIn(Path dataset) throws IOException {
    Map<String, Found> columns = NaiveTensors.batches(dataset);
    assertThat(columns.keySet()).last().isEqualTo("labels");
    Found labels = columns.get("labels");
    assertThat(labels.dtype()).isEqualTo("U8");
    assertThat(labels.bytes()).hasSize((int) (labels.shape().get(0) * labels.shape().get(1)));
    return labels.bytes();
  }

  /** Damages the JSON of a header, which is found only when the file is read. */
  public static void breakHeader(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[8] = '[';
    Files.write(file, bytes);
  }

  /** The settings of a plan, and of the size of headers of tensors with keys. */
  static Object[] settings(String plan, int headerBytes) {
    return new Object[] {
      "-Dsaev.convert.plan=" + plan, "-Dsaev.output.header.bytes=" + headerBytes
    };
  }

  public static String hashOf(Path dataset) throws IOException {
    return Cli.run("inspect", dataset, "--json").json().get("hash").asText();
  }

  public static String digest(Path dataset) {
    return Cli.run("digest", dataset).succeeds().text();
  }

  static List<String> tensorNames(Path dataset) throws IOException {
    Path part = dataset.resolve(files(dataset).get(1));
    return Cli.run("inspect", part, "--json").json().get("tensors").findValuesAsText("name");
  }

  /** Asserts that two folders, with all folders in them, have the same files. */
  public static void assertSameFiles(Path found, Path expected) throws IOException {
    assertThat(tree(found)).isEqualTo(tree(expected));
    for (Path name : tree(expected)) {
      long mismatch = Files.mismatch(found.resolve(name), expected.resolve(name));
      assertThat(mismatch).as("where %s differs", name).isEqualTo(-1);
    }
  }

  private static List<Path> tree(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).map(folder::relativize).sorted().toList();
    }
  }

  public static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }
}
