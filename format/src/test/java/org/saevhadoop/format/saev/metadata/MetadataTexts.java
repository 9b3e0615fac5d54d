package org.saevhadoop.format.saev.metadata;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.saevhadoop.format.json.JsonTexts;

/** Random objects as a metadata.json holds them, one a line: the same ones for the same seed. */
final class MetadataTexts {
  private static final ProtocolGeneration[] GENERATIONS = ProtocolGeneration.values();

  private final JsonTexts texts;
  private final Random random;

  MetadataTexts(long seed) {
    texts = new JsonTexts(seed);
    random = new Random(~seed);
  }

  /** An object of a generation's keys, now and then odd in its values, its keys or their order. */
  byte[] object() {
    ProtocolGeneration generation = GENERATIONS[random.nextInt(GENERATIONS.length)];
    List<String> members = new ArrayList<>();
    for (MetadataField field : generation.fields()) {
      if (random.nextInt(40) > 0) {
        String key = generation.key(field, Map.of());
        members.add("\"" + key + "\":" + value(field, generation));
      }
    }
    while (random.nextInt(4) == 0) {
      members.add(texts.string() + ":" + texts.value(2));
    }
    if (random.nextInt(8) == 0) {
      Collections.shuffle(members, random);
    }
    String separator = random.nextBoolean() ? "," : ", \t";
    return ("{" + String.join(separator, members) + "}").getBytes(StandardCharsets.UTF_8);
  }

  private String value(MetadataField field, ProtocolGeneration generation) {
    if (random.nextInt(24) == 0) {
      return texts.value(2);
    }
    return switch (field) {
      case FAMILY -> "\"clip\"";
      case CKPT, DATASET -> texts.string();
      case LAYERS -> "[" + random.nextInt(24) + "," + (random.nextInt(24) - 24) + "]";
      case CLS_TOKEN -> random.nextBoolean() ? "true" : "false";
      case DATA -> data(generation);
      case PIXEL_AGG -> random.nextBoolean() ? "null" : "\"majority\"";
      case DTYPE -> "\"float32\"";
      case PROTOCOL -> "\"" + generation.label() + "\"";
      default -> Long.toString(random.nextLong() >>> random.nextInt(64));
    };
  }

  private String data(ProtocolGeneration generation) {
    return generation.data() == ProtocolGeneration.Data.OBJECT ? texts.object(3) : texts.string();
  }
}
