package org.saevhadoop.format.safetensors;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.saevhadoop.format.dataset.Table;

/**
 * What travels with activations in each file's metadata.
 *
 * @param saevMetadata the SAEV metadata.json that belongs to them; null without
 * @param saevDirectory the name of its directory, where that can not be computed; null where it can
 */
public record Provenance(String saevMetadata, String saevDirectory) {
  /** Nothing is known. */
  public static final Provenance NONE = new Provenance(null, null);

  /** The metadata of a file that begins with an example. */
  Map<String, String> metadata(Table table, long firstExample) {
    Map<String, String> metadata = new TreeMap<>();
    if (FileColumns.isActivations(table)) {
      metadata.put(
          ActivationColumns.LAYERS_KEY,
          table.numbers().stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    metadata.put(Parts.FIRST_EXAMPLE_KEY, Long.toString(firstExample));
    metadata.put(Parts.EXAMPLES_KEY, Long.toString(table.examples()));
    if (saevMetadata != null) {
      metadata.put(SafetensorsDataset.SAEV_METADATA_KEY, saevMetadata);
    }
    if (saevDirectory != null) {
      metadata.put(SafetensorsDataset.SAEV_DIRECTORY_KEY, saevDirectory);
    }
    return metadata;
  }
}
