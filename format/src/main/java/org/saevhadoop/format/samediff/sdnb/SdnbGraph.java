package org.saevhadoop.format.samediff.sdnb;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The parts of the FlatGraph of an SDNB file that describe arrays. */
record SdnbGraph(
    List<Variable> variables, SortedMap<String, String> metadata, List<String> unread) {
  /**
   * A variable as described by the FlatBuffer, with the description of its values, if present.
   *
   * @param shape the dimensions, -1 for unknown ones; null if they are not recorded
   * @param values the description of the values; null if there is none
   */
  record Variable(
      String name,
      VariableKind kind,
      int typeCode,
      @Nullable List<Long> shape,
      @Nullable Values values) {
    int valueTypeCode() {
      return values == null ? typeCode : values.typeCode();
    }

    /** Returns the dimensions of the values; null if they are not recorded. */
    @Nullable List<Long> valueShape() {
      return values == null || values.shape() == null ? shape : values.shape();
    }

    /**
     * A FlatArray.
     *
     * @param shape the dimensions; null if they are not recorded
     * @param order 0 for C order, 1 for F order
     * @param bufferOffset the offset of the values in the file if they are inline; otherwise -1
     * @param bufferLength the length of the inline values in bytes
     * @param appendedOffset the offset of appended values, relative to the first appended byte of
     *     the file
     * @param appendedLength the length of appended values in bytes; 0 if none are appended
     * @param elsewhere the location of the values if they are neither inline nor appended;
     *     otherwise null
     */
    record Values(
        int typeCode,
        @Nullable List<Long> shape,
        int order,
        long bufferOffset,
        long bufferLength,
        long appendedOffset,
        long appendedLength,
        SdnbFile.UnreadableArray.@Nullable Reason elsewhere) {}
  }
}
