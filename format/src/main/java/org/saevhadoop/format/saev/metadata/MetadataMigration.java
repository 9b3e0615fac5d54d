package org.saevhadoop.format.saev.metadata;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration.Data;

/**
 * From the fields of one generation to those of another, losing nothing (our own rule: saev has no
 * such way). What the target has no place for travels inside {@code data}, as an object {@code
 * {"repr" | "base64" | "data": the former data, fields without a place..., "__class__"}}, the
 * envelope. An object is data of 1.0.0 to 2.0 as it is; in the string of v1 it is its compact JSON
 * text, in the Base64 of 2.1 a pickled str of that text.
 *
 * <p>That every way back restores what was there follows from one rule: a generation writes each
 * {@link Content} in one form only, and what is read is taken for that form only if it would be
 * written the same again. An object that merely resembles an envelope is an object.
 */
final class MetadataMigration {
  /** The seed that v1 metadata has where its user gave none. */
  private static final JsonNumber DEFAULT_SEED = JsonNumber.of(42);

  private static final String CLASS = "__class__";

  /** Fields that not every generation has. */
  private static final Set<MetadataField> MOVABLE =
      EnumSet.of(
          MetadataField.WIDTH,
          MetadataField.HEIGHT,
          MetadataField.SEED,
          MetadataField.DATASET,
          MetadataField.PIXEL_AGG);

  /** All that 2.1's readers take. */
  private static final Set<Object> PIXEL_AGGS = Set.of("majority", "prefer-fg");

  /** The key of the former data inside an envelope. */
  private static final Map<Data, String> CARRIED =
      Map.of(Data.TEXT, "repr", Data.PICKLE, "base64", Data.OBJECT, "data");

  /** Fields that an envelope shows though they have their standard: they belong to such data. */
  private static final Map<Data, Set<MetadataField>> SHOWN =
      Map.of(
          Data.TEXT, EnumSet.of(MetadataField.SEED),
          Data.PICKLE, EnumSet.of(MetadataField.DATASET, MetadataField.PIXEL_AGG),
          Data.OBJECT, EnumSet.noneOf(MetadataField.class));

  /**
   * What data and the movable fields say, whatever generation said it.
   *
   * @param selections the selections that were made, the last one first
   * @param kind what {@code data} is
   * @param fields every movable field; null stands for none
   */
  private record Content(
      List<SaevSelection> selections, Data kind, Object data, Map<MetadataField, Object> fields) {
    /** What a field is held for where nothing is said of it. */
    Object standard(MetadataField field) {
      return switch (field) {
        case SEED -> DEFAULT_SEED;
        case DATASET -> DataField.datasetIn(data);
        case PIXEL_AGG -> kind == Data.PICKLE ? "majority" : null;
        default -> null;
      };
    }

    boolean isStandard(MetadataField field) {
      return same(fields.get(field), standard(field));
    }

    String className() {
      if (kind == Data.TEXT) {
        String repr = (String) data;
        return repr.substring(0, Math.max(0, repr.indexOf('(')));
      }
      return data instanceof Map<?, ?> map && map.get(CLASS) instanceof String name ? name : "";
    }
  }

  /**
   * A content in the form of a generation.
   *
   * @param envelope what carries the data, or null where it goes as it is
   * @param fields the movable fields that the generation has
   */
  private record Form(Map<String, Object> envelope, Map<MetadataField, Object> fields) {}

  private MetadataMigration() {}

  /** The fields in the target's names and order. */
  static Map<String, Object> migrate(SaevMetadata source, ProtocolGeneration target)
      throws FormatException {
    checkFields(source, target);
    checkData(source);
    Content content = read(source);
    checkDepth(content);
    Form form = form(content, target);
    Map<String, Object> values = new LinkedHashMap<>();
    for (MetadataField field : target.fields()) {
      Object value;
      if (field == MetadataField.DATA) {
        value = data(content, form, target.data());
      } else if (source.key(field).equals("n_layers")) {
        value = source.geometry().layers().stream().map(JsonNumber::of).toList();
      } else if (MetadataField.COMMON.contains(field) && source.has(field)) {
        value = source.value(field);
      } else {
        value = form.fields().getOrDefault(field, defaultOf(field, target, null));
      }
      if (value != null || !target.isOptional(field) || field == MetadataField.PIXEL_AGG) {
        values.put(target.key(field, Map.of()), value);
      }
    }
    return values;
  }

  /** The fields of the source that change, under its own keys, where a selection is recorded. */
  static Map<String, Object> select(SaevMetadata source, SaevSelection selection)
      throws FormatException {
    checkData(source);
    Content content = read(source);
    List<SaevSelection> selections = new ArrayList<>(List.of(selection));
    selections.addAll(content.selections());
    Content selected = new Content(selections, content.kind(), content.data(), content.fields());
    checkDepth(selected);
    Form form = form(selected, source.generation());
    Map<String, Object> changed = new LinkedHashMap<>();
    changed.put(source.key(MetadataField.DATA), data(selected, form, source.generation().data()));
    form.fields()
        .forEach(
            (field, value) -> {
              if (source.has(field)) {
                changed.put(source.key(field), value);
              }
            });
    return changed;
  }

  /** The selections that data records, the last one first. */
  static List<SaevSelection> selections(SaevMetadata source) {
    return read(source).selections();
  }

  /** Whether metadata of a protocol is in the form that its own writer gives it. */
  static boolean isOwnForm(SaevMetadata metadata) {
    ProtocolGeneration generation = metadata.generation();
    Object data = metadata.value(MetadataField.DATA);
    return generation.fields().stream().allMatch(metadata::has)
        && (generation.data() == Data.OBJECT ? data instanceof Map : data instanceof String)
        && metadata.protocol().equals(generation.label())
        && MOVABLE.stream()
            .filter(metadata::has)
            .allMatch(field -> isWritable(field, metadata.value(field), generation));
  }

  /** What a generation's own writer, or we, put into a field that nothing is known of. */
  static Object defaultOf(MetadataField field, ProtocolGeneration generation, Object data) {
    Object standard = new Content(List.of(), Data.OBJECT, data, Map.of()).standard(field);
    return switch (field) {
      case FAMILY -> "clip"; // all that open_clip loaded, before there was a choice
      case CLS_TOKEN -> true;
      case DTYPE -> "float32";
      case PROTOCOL -> generation.label();
      default -> isWritable(field, standard, generation) ? standard : substitute(field, generation);
    };
  }

  private static void checkFields(SaevMetadata source, ProtocolGeneration target)
      throws FormatException {
    FormatException.check(
        source.foreignKeys().isEmpty(),
        SaevMetadata.FILE,
        "%s has no place for the fields %s",
        target.label(),
        SaevMetadata.oneLine(source.foreignKeys()));
    JsonFields checked = new JsonFields(SaevMetadata.FILE, source.values());
    for (MetadataField field : List.of(MetadataField.FAMILY, MetadataField.CKPT)) {
      if (source.has(field)) {
        checked.string(source.key(field));
      }
    }
  }

  private static void checkData(SaevMetadata source) throws FormatException {
    Object data = source.value(MetadataField.DATA);
    FormatException.check(
        data instanceof Map || data instanceof String,
        SaevMetadata.FILE,
        "field data is neither an object nor a string (expected one of them)");
  }

  /** Envelopes and the document itself may have to lie around it. */
  private static void checkDepth(Content content) throws FormatException {
    int deepest = PythonJson.depth(content.data());
    for (Object value : content.fields().values()) {
      deepest = Math.max(deepest, PythonJson.depth(value));
    }
    int most = PythonJson.MAX_DEPTH - 1 - Math.max(1, content.selections().size());
    FormatException.check(
        deepest <= most,
        SaevMetadata.FILE,
        "data is nested too deep to be moved (expected at most %d levels)",
        most);
  }

  private static Object data(Content content, Form form, Data kind) {
    if (form.envelope() != null) {
      return DataField.represent(form.envelope(), kind);
    }
    return content.kind() == kind ? content.data() : DataField.represent(content.data(), kind);
  }

  /** The only form in which a generation has a content. */
  private static Form form(Content content, ProtocolGeneration generation) {
    Map<MetadataField, Object> fields = new EnumMap<>(MetadataField.class);
    Set<MetadataField> homeless = EnumSet.noneOf(MetadataField.class);
    for (MetadataField field : MOVABLE) {
      Object value = content.fields().get(field);
      if (!generation.fields().contains(field)) {
        if (!content.isStandard(field)) {
          homeless.add(field);
        }
        continue;
      }
      Object substitute = substitute(field, generation);
      boolean writable = isWritable(field, value, generation);
      // where the standard can not be written, what stands in for it means the standard
      boolean ambiguous =
          same(value, substitute) && !isWritable(field, content.standard(field), generation);
      if (!content.isStandard(field) && (!writable || ambiguous)) {
        homeless.add(field);
      }
      fields.put(field, writable ? value : substitute);
    }
    boolean direct =
        content.selections().isEmpty()
            && homeless.isEmpty()
            && (content.kind() == generation.data()
                || content.kind() == Data.OBJECT && content.data() instanceof Map);
    if (direct && isReadAsItself(content, fields, generation)) {
      return new Form(null, fields);
    }
    Map<String, Object> envelope = new LinkedHashMap<>();
    envelope.put(CARRIED.get(content.kind()), content.data());
    for (MetadataField field : MOVABLE) {
      boolean shown =
          SHOWN.get(content.kind()).contains(field) && !generation.fields().contains(field);
      if (shown || homeless.contains(field)) {
        envelope.put(field.plainKey(), content.fields().get(field));
      }
    }
    envelope.put(CLASS, content.className());
    return new Form(new SelectionEnvelope(content.selections(), envelope).json(), fields);
  }

  private static boolean isReadAsItself(
      Content content, Map<MetadataField, Object> fields, ProtocolGeneration generation) {
    return content.kind() == Data.OBJECT
        ? content.data() instanceof Map<?, ?> object && opened(object, fields, generation) == null
        : DataField.objectIn((String) content.data(), content.kind()) == null;
  }

  private static Content read(SaevMetadata source) {
    Map<MetadataField, Object> fields = new EnumMap<>(MetadataField.class);
    MOVABLE.stream().filter(source::has).forEach(f -> fields.put(f, source.value(f)));
    ProtocolGeneration generation = source.generation();
    Object data = source.value(MetadataField.DATA);
    // the first commits of 1.0.0 still had v1's text
    Data kind = generation.data() == Data.PICKLE ? Data.PICKLE : Data.TEXT;
    Object object = data instanceof String text ? DataField.objectIn(text, kind) : data;
    SelectionEnvelope plain = new SelectionEnvelope(List.of(), Map.of());
    if (object == null) {
      return content(kind, data, plain, fields, generation);
    }
    Content opened =
        object instanceof Map<?, ?> envelope ? opened(envelope, fields, generation) : null;
    return opened == null ? content(Data.OBJECT, object, plain, fields, generation) : opened;
  }

  /** What is in an envelope; null where the generation would not have written it. */
  private static Content opened(
      Map<?, ?> object, Map<MetadataField, Object> fields, ProtocolGeneration generation) {
    SelectionEnvelope envelope = SelectionEnvelope.of(object);
    if (envelope == null || envelope.innermost().isEmpty()) {
      return null;
    }
    Map.Entry<String, Object> first = envelope.innermost().entrySet().iterator().next();
    for (Map.Entry<Data, String> way : CARRIED.entrySet()) {
      Data kind = way.getKey();
      Object data = first.getValue();
      if (first.getKey().equals(way.getValue())
          && (kind == Data.OBJECT || data instanceof String)) {
        Content content = content(kind, data, envelope, fields, generation);
        Form form = form(content, generation);
        return form.envelope() != null
                && isSameTree(form.envelope(), object)
                && fields.entrySet().stream()
                    .allMatch(field -> same(form.fields().get(field.getKey()), field.getValue()))
            ? content
            : null;
      }
    }
    return null;
  }

  private static Content content(
      Data kind,
      Object data,
      SelectionEnvelope envelope,
      Map<MetadataField, Object> present,
      ProtocolGeneration generation) {
    Map<MetadataField, Object> fields = new EnumMap<>(MetadataField.class);
    Content content = new Content(envelope.selections(), kind, data, fields);
    for (MetadataField field : MOVABLE) {
      Object standard = content.standard(field);
      Object value = present.getOrDefault(field, standard);
      if (!isWritable(field, standard, generation) && same(value, substitute(field, generation))) {
        value = standard;
      }
      fields.put(field, envelope.innermost().getOrDefault(field.plainKey(), value));
    }
    return content;
  }

  /** Whether a generation can have, and its readers take, a value. */
  private static boolean isWritable(
      MetadataField field, Object value, ProtocolGeneration generation) {
    return switch (field) {
      case PIXEL_AGG ->
          switch (generation) {
            case V2_1 -> value != null && PIXEL_AGGS.contains(value);
            case V2_1_NULLABLE -> value == null;
            default -> true;
          };
      case DATASET ->
          value instanceof String path && (!isOrjson(generation) || PythonJson.isUnicode(path));
      default -> true;
    };
  }

  /** What stands for a value that is not writable: 2.1's writer has "majority" by default. */
  private static Object substitute(MetadataField field, ProtocolGeneration generation) {
    return switch (field) {
      case PIXEL_AGG -> generation == ProtocolGeneration.V2_1 ? "majority" : null;
      case DATASET -> ".";
      default -> null;
    };
  }

  private static boolean isOrjson(ProtocolGeneration generation) {
    return generation.hashRules().get(0).fileStyle() == JsonStyle.ORJSON_FILE;
  }

  /** As {@link #same}; data, which both of them carry, is not looked into. */
  private static boolean isSameTree(Object a, Object b) {
    if (a instanceof Map<?, ?> one && b instanceof Map<?, ?> other && a != b) {
      return List.copyOf(one.keySet()).equals(List.copyOf(other.keySet()))
          && one.keySet().stream().allMatch(key -> isSameTree(one.get(key), other.get(key)));
    }
    return a == b || same(a, b);
  }

  private static boolean same(Object a, Object b) {
    return PythonJson.dumps(a, JsonStyle.VERBATIM).equals(PythonJson.dumps(b, JsonStyle.VERBATIM));
  }
}
