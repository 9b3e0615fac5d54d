package org.saevhadoop.format.combined;

import java.io.IOException;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Io;

/**
 * A dataset that is combined with others.
 *
 * @param path the path for messages; its last component is recorded in the provenance
 * @param identity the hash or the digest that the provenance records
 * @param opener opens the dataset again whenever it is needed
 */
public record CombinedSource(
    String path, String identity, SourceFacts facts, Io.Supplier<TableDataset> opener) {
  /** Returns a source after opening its dataset once. */
  public static CombinedSource of(String path, String identity, Io.Supplier<TableDataset> opener)
      throws IOException {
    return new CombinedSource(path, identity, SourceFacts.of(opener.get()), opener);
  }
}
