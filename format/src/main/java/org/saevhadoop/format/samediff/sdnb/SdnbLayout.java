package org.saevhadoop.format.samediff.sdnb;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * The layout of an SDNB file to be written: all of its bytes except the values of the arrays. Each
 * array begins at a multiple of 64 bytes; the manifest follows the last array immediately, because
 * the C++ loader computes the beginning of the arrays from the offset of the manifest.
 *
 * @param head the bytes at the beginning of the file, up to the padding before the first array
 * @param offsets the offset of each array in the file, in bytes
 * @param dataEnd the offset after the last array, where the manifest begins
 * @param manifest the bytes at the end of the file
 */
public record SdnbLayout(byte[] head, long[] offsets, long dataEnd, byte[] manifest) {
  /**
   * Maximum length of a file: the loader of 2025 reads the whole file into one buffer, and the
   * FlatBuffers verifier of the C++ loader does not accept a longer file.
   */
  public static final long MAX_BYTES = Integer.MAX_VALUE;

  private static final int ALIGNMENT = 64;

  /**
   * Returns the layout of a file that contains arrays.
   *
   * @param arrays the arrays, in the order in which their values are written
   */
  public static SdnbLayout of(List<ArraySpec> arrays, SortedMap<String, String> metadata) {
    long[] offsets = new long[arrays.size()];
    long end = 0;
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = align(end);
      end = arrays.get(i).bytes() == 0 ? end : Math.addExact(offsets[i], arrays.get(i).bytes());
    }
    byte[] graph = GraphWriter.write(arrays, appendedOffsets(arrays, offsets), metadata);
    long begin =
        end == 0 ? SdnbHeader.BYTES + graph.length : align(SdnbHeader.BYTES + graph.length);
    List<SdnbManifestEntry> entries = new ArrayList<>();
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] += begin;
      if (arrays.get(i).bytes() > 0) {
        entries.add(new SdnbManifestEntry(arrays.get(i).name(), offsets[i], arrays.get(i).bytes()));
      }
    }
    return of(graph, offsets, begin + end, entries);
  }

  /** Returns the layout of the first file of a sharded container, which lists all variables. */
  public static SdnbLayout ofGraph(List<ArraySpec> arrays, SortedMap<String, String> metadata) {
    byte[] graph = GraphWriter.write(arrays, null, metadata);
    return of(graph, new long[0], SdnbHeader.BYTES + graph.length, List.of());
  }

  private static SdnbLayout of(
      byte[] graph, long[] offsets, long dataEnd, List<SdnbManifestEntry> entries) {
    byte[] manifest = SdnbManifestEncoder.encode(entries);
    ByteBuffer head = ByteBuffer.allocate(SdnbHeader.BYTES + graph.length);
    new SdnbHeader(dataEnd, manifest.length).writeTo(head);
    head.put(graph);
    return new SdnbLayout(head.array(), offsets, dataEnd, manifest);
  }

  /**
   * Returns the offsets to record, which are 0 for empty arrays, because these have no appended
   * bytes.
   */
  private static long[] appendedOffsets(List<ArraySpec> arrays, long[] offsets) {
    long[] appended = offsets.clone();
    for (int i = 0; i < appended.length; i++) {
      appended[i] = arrays.get(i).bytes() == 0 ? 0 : appended[i];
    }
    return appended;
  }

  private static long align(long offset) {
    return Math.addExact(offset, ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Returns the offset of an array in the file, in bytes. */
  public long offset(int array) {
    return offsets[array];
  }

  /** Returns the length of the file in bytes. */
  public long length() {
    return dataEnd + manifest.length;
  }
}
