package org.saevhadoop.format.pickleshards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.FileMerge;

class PickleMergeTest {
  private static final String DOCUMENT =
      """
      {"version": "1.0", "extraction_config": {"model_name": "m"}, "shards": [
        {"filename": "shard_0001.pkl", "size_bytes": %d, "num_samples": 2, "layers": [3, 7],
         "sample_id_range": [%d, %d], "compressed": false, "checksum": "sha256:%s"}]}
      """;

  @TempDir Path folder;
  private final List<String> opened = new ArrayList<>();

  /** Returns a folder that notes the files that are opened in it. */
  private Location noting(Path path) {
    Folder real = new LocalFolder(path);
    Folder noting =
        (Folder)
            Proxy.newProxyInstance(
                Folder.class.getClassLoader(),
                new Class<?>[] {Folder.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("open")) {
                    opened.add(path.getFileName() + "/" + arguments[0]);
                  }
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return Location.of(noting);
  }

  private FileMerge.Source source(String name, long first) throws IOException {
    Path path = folder.resolve(name);
    Path shard = path.resolve("shard_0001.pkl");
    TestShards.write(shard, first, first + 1);
    String document =
        DOCUMENT.formatted(Files.size(shard), first, first + 1, "0123456789abcdef".repeat(4));
    Files.writeString(path.resolve("metadata.json"), document);
    return new FileMerge.Source(name, noting(path), Settings.NONE);
  }

  @Test
  void documentsAndFirstShardsAreReadOnce() throws IOException {
    FileMerge merge = new PickleFormat().merging().orElseThrow();
    FileMerge.Survey survey = merge.survey(List.of(source("a", 0), source("b", 2)));
    assertThat(survey.conflicts()).isEmpty();
    assertThat(survey.plan(null, source -> fail()).files()).hasSize(2);
    assertThat(opened)
        .containsExactlyInAnyOrder(
            "a/metadata.json", "a/shard_0001.pkl", "b/metadata.json", "b/shard_0001.pkl");
  }
}
