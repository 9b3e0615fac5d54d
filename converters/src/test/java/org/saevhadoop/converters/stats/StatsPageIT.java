package org.saevhadoop.converters.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.testing.Programs;

/** The page that {@code stats --report} writes, as a browser shows it. */
class StatsPageIT {
  private static String browser = "";

  @TempDir Path folder;

  @BeforeAll
  static void findBrowser() throws InterruptedException {
    for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
      browser = browser.isEmpty() && Programs.succeeds(name, "--version") ? name : browser;
    }
    Programs.require(!browser.isEmpty(), "chromium");
  }

  private record Shown(String document, String log) {}

  private Shown show(Path page, String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"));
    command.addAll(List.of("--disable-background-networking", "--disable-component-update"));
    command.addAll(List.of("--disable-sync", "--disable-quic", "--disable-dev-shm-usage"));
    command.add("--user-data-dir=" + folder.resolve("profile"));
    command.addAll(List.of("--enable-logging=stderr", "--v=0", "--virtual-time-budget=5000"));
    command.addAll(List.of(options));
    command.add(page.toUri().toString());
    Path out = folder.resolve("document.txt");
    Path log = folder.resolve("log.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(log.toFile())
            .start();
    boolean ended = process.waitFor(2, TimeUnit.MINUTES);
    process.destroyForcibly();
    assertThat(ended).as("ended within 2 minutes").isTrue();
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    return new Shown(Files.readString(out), Files.readString(log, StandardCharsets.UTF_8));
  }

  @Test
  void theBrowserReportsNoErrorAndShowsTheChartsWithTheValuesOfTheJson() throws Exception {
    Path page = folder.resolve("page.html");
    Path dataset = Fixtures.labelled(Fixtures.SMALL, folder);
    Cli run = Cli.run("stats", dataset, "--report", page, "--json", "--vectors").succeeds();
    Shown shown = show(page, "--dump-dom");
    assertThat(shown.log()).doesNotContain("CONSOLE");
    StatsReport report = StatsReport.of(shown.document());
    assertThat(report.charts())
        .containsOnlyKeys(
            "Norm by layer",
            "Scale by layer",
            "Cosine by layer",
            "Histogram of norms",
            "Cumulative distribution of norms",
            "Mean by dimension",
            "Variance by dimension",
            "Norm by position",
            "Norm by label");
    report.assertEquals(run.json());
  }

  /** Shows that the test above would see an error. */
  @Test
  void aPageThatLoadsSomethingHasAnErrorInTheConsole() throws Exception {
    Path page = folder.resolve("page.html");
    Cli.run("stats", Fixtures.small(), "--report", page).succeeds();
    String changed = Files.readString(page).replace("</main>", "<img src=\"x.png\"/></main>");
    Files.writeString(page, changed);
    assertThat(show(page, "--dump-dom").log()).contains("CONSOLE").contains("img-src");
  }
}
