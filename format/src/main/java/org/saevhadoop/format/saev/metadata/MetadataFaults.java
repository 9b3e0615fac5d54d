package org.saevhadoop.format.saev.metadata;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/**
 * Values in a metadata.json that do not affect the location of any data, but that the readers of
 * the saev project reject when they check types.
 */
public final class MetadataFaults {
  /** All protocol values that were ever written, oldest first. */
  private static final List<String> PROTOCOLS = List.of("1.0.0", "1.1", "2.0", "2.1");

  private static final List<Object> PIXEL_AGGS = Arrays.asList(null, "majority", "prefer-fg");

  /** The families of all generations; each generation accepts the families of earlier ones. */
  private static final Set<Object> FAMILIES =
      Set.of(
          "clip", "siglip", "dinov2", "dinov3", "fake-clip", "bird-mae", "pe-core", "pe-spatial");

  private MetadataFaults() {}

  /**
   * Returns whether the readers reject a protocol value: they accept their own and older ones,
   * except that 2.1 does not accept 2.0.
   */
  public static boolean isProtocolRefused(SaevMetadata metadata) {
    String own = metadata.generation().label();
    String protocol = metadata.protocol();
    return PROTOCOLS.contains(own)
        && !protocol.equals(own)
        && (!PROTOCOLS.subList(0, PROTOCOLS.indexOf(own)).contains(protocol)
            || own.equals("2.1") && protocol.equals("2.0"));
  }

  /** Returns the problems of the other fields. */
  public static List<String> of(SaevMetadata metadata) {
    List<String> faults = new ArrayList<>();
    for (MetadataField field :
        List.of(MetadataField.FAMILY, MetadataField.CKPT, MetadataField.DATASET)) {
      if (metadata.has(field) && !(metadata.value(field) instanceof String)) {
        faults.add(fault(metadata, field, "a string"));
      }
    }
    Object data = metadata.value(MetadataField.DATA);
    if (!(data instanceof Map) && !(data instanceof String)) {
      faults.add(fault(metadata, MetadataField.DATA, "an object or a string"));
    }
    if (metadata.has(MetadataField.PIXEL_AGG)
        && !PIXEL_AGGS.contains(metadata.value(MetadataField.PIXEL_AGG))) {
      faults.add(fault(metadata, MetadataField.PIXEL_AGG, "null, \"majority\" or \"prefer-fg\""));
    }
    return faults;
  }

  /** Returns the values that readers may reject unless those readers are newer than this list. */
  public static List<String> doubts(SaevMetadata metadata) {
    Object family = metadata.value(MetadataField.FAMILY);
    return metadata.generation() == ProtocolGeneration.PRE_V1
            || !(family instanceof String)
            || FAMILIES.contains(family)
        ? List.of()
        : List.of(fault(metadata, MetadataField.FAMILY, "a family that saev knows, clip for one"));
  }

  private static String fault(SaevMetadata metadata, MetadataField field, String expected) {
    String value = PythonJson.dumps(metadata.value(field), JsonStyle.COMPACT);
    return "field %s is %s (expected %s)"
        .formatted(metadata.key(field), SaevMetadata.oneLine(value), expected);
  }
}
