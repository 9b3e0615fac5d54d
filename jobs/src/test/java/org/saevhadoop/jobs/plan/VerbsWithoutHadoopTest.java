package org.saevhadoop.jobs.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.jobs.TestDatasets;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.diff.Diff;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.merge.Merge;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.shuffle.Shuffle;

/** Verbs over local paths run in a program that has no jar of Hadoop. */
class VerbsWithoutHadoopTest {
  @TempDir Path folder;

  /** The program: it converts and shuffles a dataset, and compares the digests and the values. */
  static final class Program implements Function<String[], String> {
    @Override
    public String apply(String[] paths) {
      try {
        String written =
            Conversion.of(paths[0], paths[1], "safetensors", null).run(RunListener.NONE).path();
        Conversion rows = Conversion.of(paths[0], paths[1] + "-rows", "saev", null);
        new Shuffle(rows, RowUnit.VECTOR, 0, 1, List.of(), true).run(RunListener.NONE);
        Merge.of(List.of(written, written), paths[1] + "-twice", null).run(RunListener.NONE);
        return Digest.of(paths[0], null).run(RunListener.NONE)
            + "\n"
            + Digest.of(written, null).run(RunListener.NONE)
            + "\n"
            + Diff.of(paths[0], written, null).run(RunListener.NONE).identical();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void aProgramConvertsAndComparesWithoutHadoop() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!Path.of(entry).getFileName().toString().startsWith("hadoop-")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader()) {
          @Override
          public URL getResource(String name) { // without the site files of tests
            return name.endsWith("-site.xml") ? null : super.getResource(name);
          }
        }) {
      assertThatThrownBy(() -> loader.loadClass("org.apache.hadoop.conf.Configuration"))
          .isInstanceOf(ClassNotFoundException.class);
      thread.setContextClassLoader(loader);
      var created = loader.loadClass(Program.class.getName()).getDeclaredConstructor();
      created.setAccessible(true);
      Function<String[], String> program = (Function<String[], String>) created.newInstance();
      String source = TestDatasets.saev().toString();
      String[] lines = program.apply(new String[] {source, folder + "/out"}).split("\n");
      assertThat(lines[1]).isEqualTo(lines[0]).startsWith("sha256-blocks:");
      assertThat(lines[2]).isEqualTo("true");
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
