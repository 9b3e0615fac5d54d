package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.safetensors.dataset.SmallFile;

/** Characters that change the direction of text reach the terminal from no command. */
class BidirectionalTextTest {
  private static final String CONTROLS =
      "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u0085";
  private static final String NAME = "1__x" + CONTROLS;

  @TempDir Path folder;
  private Path table;

  @BeforeEach
  void writeDatasets() throws IOException {
    table = Files.createDirectory(folder.resolve("table"));
    SmallFile.write(
        table.resolve("p.safetensors"),
        "{\"__metadata__\":{\"k"
            + CONTROLS
            + "\":\"v"
            + CONTROLS
            + "\"},\""
            + NAME
            + "\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]}}",
        3);
    SmallFile.manifest(table, "p.safetensors:1");
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(table.resolve("p.examples.jsonl.gz")))) {
      String sample =
          "{\"example\": 0, \"sample\": {\"t" + CONTROLS + "\":\t\"" + CONTROLS + "\"}}\n";
      out.write(sample.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void textOutputHasNone() {
    Path file = table.resolve("p.safetensors");
    for (Object[] command :
        new Object[][] {
          {"inspect", file},
          {"inspect", table},
          {"verify", table, "--structure"},
          {"list", table},
          {"list", table, "--digests"},
          {"cat", table, "--sample-metadata"},
          {"cat", table, "--key", NAME},
          {"cat", file, "--name", NAME},
          {"cat", table, "--key", CONTROLS},
          {"cat", file, "--name", CONTROLS},
          {"inspect", file + CONTROLS},
          {"convert", table, folder.resolve("to"), "--to", "saev"}
        }) {
      Cli cli = Cli.run(command);
      assertThat(cli.text() + cli.stderr()).isNotEmpty();
      assertNone(cli.text());
      assertNone(cli.stderr());
    }
  }

  @Test
  void jsonHasThemAsEscapes() throws IOException {
    Path file = table.resolve("p.safetensors");
    for (Object[] command :
        new Object[][] {
          {"inspect", file, "--json"},
          {"inspect", table, "--json"},
          {"list", table, "--json"},
          {"cat", table, "--sample-metadata"},
          {"cat", file, "--name", NAME, "--json"}
        }) {
      Cli cli = Cli.run(command).succeeds();
      assertNone(cli.text());
      List<String> lines =
          command[0].equals("inspect") ? List.of(cli.text()) : cli.text().lines().toList();
      for (String line : lines) {
        assertThat(new ObjectMapper().readTree(line).toString()).contains(CONTROLS);
      }
    }
  }

  private static void assertNone(String text) {
    for (int i = 0; i < CONTROLS.length(); i++) {
      assertThat(text).doesNotContain(CONTROLS.substring(i, i + 1));
    }
  }
}
