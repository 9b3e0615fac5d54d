package org.saevhadoop.format.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.io.FormatException;

/** The corpus of hostile pickles, each with the error that is asked for. */
class PickleBadCorpusTest {
  private static final Set<String> GROUPS = Set.of("exec", "mem", "numpy", "stream", "hazard");

  /** What only the reader of datasets can tell. */
  private static final Set<String> NOT_OURS =
      Set.of("SCHEMA", "DUPLICATE_LAYER", "DUPLICATE_SAMPLE", "UNSUPPORTED_MUTATION");

  @Test
  void everyHostilePickleIsRefusedAsItMustBe() throws IOException {
    Path folder = Corpus.part("pickle-bad");
    List<String> wrong = new ArrayList<>();
    Object[] cases =
        new ObjectMapper().readValue(folder.resolve("cases.json").toFile(), Object[].class);
    for (Object one : cases) {
      Map<?, ?> expected = (Map<?, ?>) one;
      if (!GROUPS.contains(expected.get("group"))) {
        continue;
      }
      Path file = folder.resolve((String) expected.get("file"));
      long begin = System.nanoTime();
      String outcome = outcome(file);
      System.out.printf("%5d ms %s %s%n", (System.nanoTime() - begin) / 1000000, outcome, file);
      List<String> allowed =
          Arrays.asList(
              ((String) expected.get("error"))
                  .replace(" (unsupported protocol)", "")
                  .split(" or "));
      boolean isFine =
          allowed.contains(outcome)
              || outcome.equals("OK") && allowed.stream().anyMatch(NOT_OURS::contains);
      if (!isFine) {
        wrong.add(file + " " + outcome + " " + allowed);
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static String outcome(Path file) throws IOException {
    try (StreamSource source = StreamSource.of(file)) {
      PickleReader.read(source, new MemoryPayloads(0), Limits.DEFAULT);
      return "OK";
    } catch (FormatException e) {
      System.out.println(e.getMessage());
      return e.getMessage().substring(file.toString().length() + 2).split(":")[0];
    }
  }
}
