package org.saevhadoop.format.spi;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tokens.TokenArrays;

/**
 * The facts about the output that the client and all tasks of a job share, independent of the
 * format. Files are opened only when they are needed.
 */
public interface WriteContext {
  /** Returns the shape of the output, with the types of the records. */
  TableShape table() throws IOException;

  /** Returns the shape of the activations that are written; null if other columns are written. */
  @Nullable Geometry geometry() throws IOException;

  /** Returns the provenance that is written with the activations. */
  Provenance provenance() throws IOException;

  /**
   * Returns the labels of the patches, if there are any.
   *
   * @param written the shape of the activations that are written
   */
  Optional<LabelSource> labels(Geometry written) throws IOException;

  /** Returns the labels of the patches; null if there are none, or no activations are written. */
  default @Nullable LabelSource labels() throws IOException {
    Geometry written = geometry();
    return written == null ? null : labels(written).orElse(null);
  }

  /**
   * Returns the sample metadata; {@link SampleMetadata#NONE} if none is written. The source of the
   * metadata is opened when a cursor is opened.
   */
  SampleMetadata sampleMetadata();

  /**
   * Returns the per-token integers that are written as arrays; empty if the format stores them as
   * sample metadata.
   */
  TokenArrays tokenArrays() throws IOException;

  /** Returns the ids of the examples; empty if examples are identified by their numbers. */
  Optional<ExampleIds> ids() throws IOException;

  /** Returns the path to which the dataset will be published; a local path has no scheme. */
  String directory();
}
