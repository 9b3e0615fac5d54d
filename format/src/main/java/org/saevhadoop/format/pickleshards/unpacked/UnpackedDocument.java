package org.saevhadoop.format.pickleshards.unpacked;

import java.util.List;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;

/**
 * The document that describes an unpacked dataset.
 *
 * @param source the path of the folder that contains the shards
 * @param flattened whether each token is an example
 * @param geometry the shape of the whole dataset
 * @param firstToken the first token kept of each block in a spool
 * @param homes the parts, each with the number of samples whose home is that part
 */
record UnpackedDocument(
    String source,
    boolean flattened,
    Geometry geometry,
    long firstToken,
    List<Home> homes,
    List<String> notes,
    Provenance provenance) {
  /**
   * A part, and the samples whose home is that part.
   *
   * @param number the index of the part
   * @param shards the paths of the shards relative to their folder
   * @param lines the number of lines of sample metadata in the part
   * @param samples the number of samples whose home is the part
   * @param examples the number of examples made from those samples
   */
  record Home(int number, List<String> shards, int lines, long samples, long examples) {}
}
