package org.saevhadoop.format.spi;

import java.io.IOException;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;

/**
 * All formats together, for code that is independent of any single format. As {@link
 * ProvenanceDocuments}, the registry interprets the documents of all formats.
 */
public interface FormatRegistry extends ProvenanceDocuments {
  /**
   * Returns the format of the dataset at a location.
   *
   * @throws FormatException if the location matches no format
   */
  DatasetFormat formatAt(Location location) throws IOException;
}
