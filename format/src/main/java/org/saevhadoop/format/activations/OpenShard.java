package org.saevhadoop.format.activations;

import java.io.IOException;
import org.saevhadoop.format.gzip.GzipSource;
import org.saevhadoop.format.gzip.PlainOrGzip;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.pickle.Data;
import org.saevhadoop.format.pickle.Limits;
import org.saevhadoop.format.pickle.Payloads;
import org.saevhadoop.format.pickle.PickleReader;
import org.saevhadoop.format.pickle.Py;

/**
 * A shard whose pickle is read.
 *
 * @param path the file
 * @param compressed whether it is gzip, whatever its name says
 * @param samples what it holds
 * @param payloads where the bytes of its arrays are: in the spool, or in the file itself
 */
public record OpenShard(
    String path, boolean compressed, ShardSamples samples, Payloads payloads) {
  /**
   * Reads a shard to its end.
   *
   * @param file the shard, which must stay open as long as the arrays are read
   * @param spool takes the arrays of a compressed one
   */
  public static OpenShard read(Input file, Spool spool, Limits limits) throws IOException {
    ByteSource source = PlainOrGzip.open(file);
    boolean compressed = source instanceof GzipSource;
    Payloads payloads = compressed ? spool : new InPlace(file);
    Object root = PickleReader.read(source, payloads, limits);
    return new OpenShard(
        file.path(), compressed, ShardSamples.of(file.path(), root), payloads);
  }

  /** Whether the array's bytes lie in the payloads as blocks do: in C order and little-endian. */
  boolean isPlain(Py.NumpyArray array) {
    return array.data().inline() == null
        && array.data().form() == Data.Form.RAW
        && !array.isFortran()
        && (!array.type().bigEndian() || array.type().itemSize() == 1);
  }
}
