package org.saevhadoop.converters.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.Corpus;

/** The Javadoc of the API, as the profile release makes it. */
@Tag("long")
class ApiJavadocIT extends ApiClasses {
  private static final Path SOURCES = Corpus.checkout().resolve("dist/src/main/javadoc");

  @TempDir Path folder;

  @Test
  void eachTypeHasAPageAndNoneHasAWarning() throws Exception {
    Path api = folder.resolve("api");
    Path warnings = folder.resolve("warnings");
    ProcessBuilder make =
        new ProcessBuilder(
                SOURCES.resolve("make").toAbsolutePath().toString(),
                api.toString(),
                System.getProperty("java.class.path"))
            .redirectError(warnings.toFile());
    make.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process made = make.start();
    String output = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(made.waitFor()).as(Files.readString(warnings)).isZero();
    assertThat(Files.readString(warnings) + output).isEmpty();
    for (var type : types()) {
      String page = type.getName().replace('.', '/').replace('$', '.') + ".html";
      assertThat(api.resolve(page)).isRegularFile();
    }
    assertThat(Files.readString(api.resolve("org/saevhadoop/jobs/plan/Verb.html")))
        .contains("describe")
        .doesNotContain("SourceRequest");
    assertThat(api.resolve("member-search-index.js")).isRegularFile();
  }
}
