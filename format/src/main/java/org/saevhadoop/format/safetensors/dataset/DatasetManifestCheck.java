package org.saevhadoop.format.safetensors.dataset;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.safetensors.dataset.DatasetManifest.Entry;
import org.saevhadoop.format.safetensors.header.JsonText;

/**
 * Checks a manifest against its JSON Schema (safetensors-spark, {@code
 * dataset_manifest.schema.json}) and its totals against the sums of its entries.
 */
final class DatasetManifestCheck {
  /** Values of known keys are shown, whatever their length. */
  private static final JsonFactory JSON = Jackson.unlimited().build();

  private static final List<String> TOTALS =
      List.of("safetensors_version", "total_samples", "total_bytes");

  private final String path;
  private final List<FormatException> problems;

  private DatasetManifestCheck(String path, List<FormatException> problems) {
    this.path = path;
    this.problems = problems;
  }

  /**
   * Reads and checks the manifest of a folder.
   *
   * @return the entries; null if the manifest cannot be parsed
   */
  static List<Entry> read(Folder folder, List<FormatException> problems) throws IOException {
    String path = folder.path(DatasetManifest.FILE);
    DatasetManifestCheck check = new DatasetManifestCheck(path, problems);
    try {
      byte[] text = TensorFiles.MANIFEST_LIMITS.read(folder, DatasetManifest.FILE);
      List<Entry> entries = DatasetManifest.parse(path, text).shards();
      check.entries(entries);
      check.totals(text, entries);
      return entries;
    } catch (FormatException e) {
      problems.add(e);
      return null;
    }
  }

  private void entries(List<Entry> entries) {
    if (entries.isEmpty()) {
      add("shards is empty (expected at least one file)");
    }
    for (Entry entry : entries) {
      if (!entry.name().endsWith(SafetensorsTable.SUFFIX)) {
        add(
            "shard_path is %s (expected a name that ends in %s)",
            JsonText.show(entry.name()), SafetensorsTable.SUFFIX);
      }
    }
  }

  private void totals(byte[] text, List<Entry> entries) throws IOException {
    Map<String, String> expected =
        Map.of(
            TOTALS.get(0), "1.0",
            TOTALS.get(1), Long.toString(entries.stream().mapToLong(Entry::examples).sum()),
            TOTALS.get(2), Long.toString(entries.stream().mapToLong(Entry::bytes).sum()));
    Map<String, String> found = new HashMap<>();
    try (JsonParser json = JSON.createParser(text)) {
      json.nextToken();
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String key = json.currentName();
        json.nextToken();
        if (expected.containsKey(key)) {
          found.put(key, json.getText());
        }
        json.skipChildren();
      }
    }
    for (String key : TOTALS) {
      String source = key.startsWith("total") ? ", the sum over shards" : "";
      if (!found.containsKey(key)) {
        add("field %s is missing (expected %s%s)", key, expected.get(key), source);
      } else if (!found.get(key).equals(expected.get(key))) {
        String shown = JsonText.show(found.get(key));
        add("%s is %s (expected %s%s)", key, shown, expected.get(key), source);
      }
    }
  }

  @FormatMethod
  private void add(@FormatString String problem, Object... args) {
    problems.add(TensorDatasetError.BAD_MANIFEST.in(path, problem, args));
  }
}
