package org.saevhadoop.mapreduce.spi;

import java.io.IOException;
import java.util.Optional;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.samples.SampleMetadata;

/**
 * What a client and all tasks of a job know of what is written, whatever the format. Nothing is
 * opened before it is asked for.
 */
public interface WriteContext {
  /** Returns the shape of what is written, in the types that records have. */
  TableShape table() throws IOException;

  /** Returns the shape of the activations that are written; null if they are other columns. */
  Geometry geometry() throws IOException;

  /** Returns what travels with the activations. */
  Provenance provenance() throws IOException;

  /**
   * Returns the labels of the patches.
   *
   * @param written the shape of the activations that are written
   */
  Optional<LabelSource> labels(Geometry written) throws IOException;

  /**
   * Returns the metadata of the samples; {@link SampleMetadata#NONE} if none travels. It is opened
   * when a cursor is.
   */
  SampleMetadata attributes();

  /** Returns whether metadata of samples travels. */
  boolean hasAttributes();

  /** Returns the ids of the examples; empty if they are called by their numbers. */
  Optional<ExampleIds> ids() throws IOException;

  /** Returns the path where the dataset will be seen, a local one without its scheme. */
  String directory();
}
