package org.saevhadoop.format.saev.metadata;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration.Data;

/**
 * Lossless conversion of the fields of one generation to the fields of another (a rule of this
 * project: saev has no such conversion). Information for which the target has no field is moved
 * into an envelope in {@code data}: an object {@code {"repr" | "base64" | "data": the former data,
 * fields without a place..., "__class__"}}. In the generations 1.0.0 to 2.0, an object is stored as
 * data directly; in the string of v1, it is stored as its compact JSON text, and in the Base64 of
 * 2.1, as a pickled str of that text.
 *
 * <p>Every conversion can be reversed because of one rule: a generation writes each {@link Content}
 * in exactly one form, and data that is read is interpreted as that form only if it would be
 * written identically. An object that merely resembles an envelope is treated as an ordinary
 * object.
 */
final class MetadataMigration {
  /** The seed in v1 metadata if the user specified none. */
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

  /** All values that the readers of 2.1 accept. */
  private static final Set<Object> PIXEL_AGGS = Set.of("majority", "prefer-fg");

  /** The key of the former data in an envelope. */
  private static final Map<Data, String> CARRIED =
      Map.of(Data.TEXT, "repr", Data.PICKLE, "base64", Data.OBJECT, "data");

  /**
   * Fields that an envelope contains even if they have their default value, because they belong to
   * data of that kind.
   */
  private static final Map<Data, Set<MetadataField>> SHOWN =
      Map.of(
          Data.TEXT, EnumSet.of(MetadataField.SEED),
          Data.PICKLE, EnumSet.of(MetadataField.DATASET, MetadataField.PIXEL_AGG));

  /**
   * Information in data and the movable fields, independent of the generation that expressed it.
   *
   * @param selections the selections, most recent first
   * @param data the data without its envelope
   * @param fields every movable field; null represents an absent value
   */
  private record Content(
      List<SaevSelection> selections,
      Data kind,
      @Nullable Object data,
      Map<MetadataField, @Nullable Object> fields) {
    @Nullable Object standard(MetadataField field) {
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
      if (kind == Data.TEXT && data instanceof String repr) {
        return repr.substring(0, Math.max(0, repr.indexOf('(')));
      }
      return data instanceof Map<?, ?> map && map.get(CLASS) instanceof String name ? name : "";
    }
  }

  /**
   * Content in the form of a generation.
   *
   * @param envelope the envelope that contains the data; null if the data is stored directly
   * @param fields the movable fields that the generation has
   */
  private record Form(
      @Nullable Map<String, @Nullable Object> envelope,
      Map<MetadataField, @Nullable Object> fields) {}

  private MetadataMigration() {}

  /** Returns the fields with the names and order of the target. */
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

  /**
   * Returns the fields of the source, under its own keys, that change if a selection is recorded.
   */
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

  /** Returns the selections that data records, most recent first. */
  static List<SaevSelection> selections(SaevMetadata source) {
    return read(source).selections();
  }

  /** Returns whether metadata has the form in which the writer of its protocol writes it. */
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

  /**
   * Returns the value that the writer of a generation, or this project, writes into a field whose
   * value is unknown.
   */
  static @Nullable Object defaultOf(
      MetadataField field, ProtocolGeneration generation, @Nullable Object data) {
    Object standard = new Content(List.of(), Data.OBJECT, data, Map.of()).standard(field);
    return switch (field) {
      case FAMILY -> "clip"; // All models that open_clip loaded, before there was a choice.
      case CLS_TOKEN -> true;
      case DTYPE -> "float32";
      case PROTOCOL -> generation.label();
      default -> isWritable(field, standard, generation) ? standard : substitute(field, generation);
    };
  }

  private static void checkFields(SaevMetadata source, ProtocolGeneration target)
      throws FormatException {
    SaevError.NOT_REPRESENTABLE.check(
        source.foreignKeys().isEmpty(),
        SaevMetadata.FILE,
        "the %s protocol cannot represent the fields %s",
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
    SaevError.NOT_REPRESENTABLE.check(
        data instanceof Map || data instanceof String,
        SaevMetadata.FILE,
        "field data is neither an object nor a string (expected one or the other)");
  }

  /**
   * Checks that the data is not nested too deeply for the envelopes and the document that enclose
   * it.
   */
  private static void checkDepth(Content content) throws FormatException {
    int deepest = PythonJson.depth(content.data());
    for (Object value : content.fields().values()) {
      deepest = Math.max(deepest, PythonJson.depth(value));
    }
    int most = PythonJson.MAX_DEPTH - 1 - Math.max(1, content.selections().size());
    SaevError.NOT_REPRESENTABLE.check(
        deepest <= most,
        SaevMetadata.FILE,
        "data is nested too deeply to be moved (expected at most %d levels)",
        most);
  }

  private static @Nullable Object data(Content content, Form form, Data kind) {
    if (form.envelope() != null) {
      return DataField.represent(form.envelope(), kind);
    }
    return content.kind() == kind ? content.data() : DataField.represent(content.data(), kind);
  }

  /** Returns the only form in which a generation writes the content. */
  private static Form form(Content content, ProtocolGeneration generation) {
    Map<MetadataField, Object> fields = new EnumMap<>(MetadataField.class);
    Set<MetadataField> unplaced = EnumSet.noneOf(MetadataField.class);
    for (MetadataField field : MOVABLE) {
      Object value = content.fields().get(field);
      if (!generation.fields().contains(field)) {
        if (!content.isStandard(field)) {
          unplaced.add(field);
        }
        continue;
      }
      Object substitute = substitute(field, generation);
      boolean writable = isWritable(field, value, generation);
      // If the default cannot be written, its substitute means the default.
      boolean ambiguous =
          same(value, substitute) && !isWritable(field, content.standard(field), generation);
      if (!content.isStandard(field) && (!writable || ambiguous)) {
        unplaced.add(field);
      }
      fields.put(field, writable ? value : substitute);
    }
    boolean direct =
        content.selections().isEmpty()
            && unplaced.isEmpty()
            && (content.kind() == generation.data()
                || content.kind() == Data.OBJECT && content.data() instanceof Map);
    if (direct && isReadAsItself(content, fields, generation)) {
      return new Form(null, fields);
    }
    Map<String, Object> envelope = new LinkedHashMap<>();
    envelope.put(CARRIED.get(content.kind()), content.data());
    for (MetadataField field : MOVABLE) {
      boolean shown =
          SHOWN.getOrDefault(content.kind(), Set.of()).contains(field)
              && !generation.fields().contains(field);
      if (shown || unplaced.contains(field)) {
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
        : content.data() instanceof String text && DataField.objectIn(text, content.kind()) == null;
  }

  private static Content read(SaevMetadata source) {
    Map<MetadataField, Object> fields = new EnumMap<>(MetadataField.class);
    MOVABLE.stream().filter(source::has).forEach(f -> fields.put(f, source.value(f)));
    ProtocolGeneration generation = source.generation();
    Object data = source.value(MetadataField.DATA);
    // The first commits of 1.0.0 still wrote the text of v1.
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

  /** Returns the content of an envelope, or null if the generation would not have written it. */
  private static @Nullable Content opened(
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
      @Nullable Object data,
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

  /** Returns whether a generation can store a value and its readers accept it. */
  private static boolean isWritable(
      MetadataField field, @Nullable Object value, ProtocolGeneration generation) {
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

  /**
   * Returns the substitute for a value that is not writable; the default of the writer of 2.1 is
   * "majority".
   */
  private static @Nullable Object substitute(MetadataField field, ProtocolGeneration generation) {
    return switch (field) {
      case PIXEL_AGG -> generation == ProtocolGeneration.V2_1 ? "majority" : null;
      case DATASET -> ".";
      default -> null;
    };
  }

  private static boolean isOrjson(ProtocolGeneration generation) {
    return generation.hashRules().get(0).fileStyle() == JsonStyle.ORJSON_FILE;
  }

  /** Compares like {@link #same}, but skips data shared by both objects. */
  private static boolean isSameTree(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Map<?, ?> one && b instanceof Map<?, ?> other && a != b) {
      return List.copyOf(one.keySet()).equals(List.copyOf(other.keySet()))
          && one.keySet().stream().allMatch(key -> isSameTree(one.get(key), other.get(key)));
    }
    return a == b || same(a, b);
  }

  private static boolean same(@Nullable Object a, @Nullable Object b) {
    return PythonJson.dumps(a, JsonStyle.VERBATIM).equals(PythonJson.dumps(b, JsonStyle.VERBATIM));
  }
}
