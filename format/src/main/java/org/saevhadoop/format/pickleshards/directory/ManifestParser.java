package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Totals;

/**
 * Streaming parser of a metadata.json, so that a document with 100,000 shards fits in a small heap.
 */
final class ManifestParser {
  /** Maximum number of values outside the entries, and of values in one entry. */
  private static final int MAX_VALUES = 200_000;

  private static final int MAX_ENTRIES = 100_000;

  /** Maximum number of layers and counts in all entries, with equal lists counted once. */
  private static final int MAX_LAYER_VALUES = 1_000_000;

  /** Maximum length of a message of the JSON library, in characters. */
  private static final int MAX_NAME = 255;

  private static final Pattern VERSION_1 = Pattern.compile("1(\\.\\d{1,9}){0,2}([-+].*)?");
  private static final Pattern SHA256 = Pattern.compile("sha256:[0-9a-fA-F]{64}");
  private static final Pattern UNSAFE = Pattern.compile(".*[/\\\\:\\p{Cntrl}].*", Pattern.DOTALL);

  private final String path;
  private final Map<Object, Object> same = new HashMap<>();
  private int layerValues;

  ManifestParser(String path) {
    this.path = path;
  }

  ActivationManifest parse(InputStream text) throws IOException {
    return Jackson.readObject(
        PickleError.BAD_METADATA,
        path,
        () -> new BoundedJson(path, text, MAX_VALUES),
        this::manifest);
  }

  private ActivationManifest manifest(BoundedJson json) throws IOException {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    @Nullable List<ManifestEntry> entries = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String key = json.currentName();
      json.nextToken();
      if (key.equals("shards")) {
        entries = entries(json);
      } else {
        document.set(key, Jackson.MAPPER.readTree(json));
      }
    }
    Form form = form(new ManifestFields(path, "", document));
    if (entries == null) {
      throw PickleError.BAD_METADATA.in(path, "has no shards (expected a list)");
    }
    return new ActivationManifest(path, form, document, entries, totals(form, document));
  }

  private Form form(ManifestFields fields) throws FormatException {
    if (!fields.values().has("version")) {
      return Form.REAL;
    }
    String version = fields.text("version");
    fields.check(version != null, "version", "a string");
    PickleError.UNSUPPORTED_VERSION.check(
        VERSION_1.matcher(version).matches(),
        path,
        "version is %s (expected \"1.0\", or another version that begins with 1)",
        ManifestFields.show(fields.values().get("version")));
    fields.text("created_at");
    fields.object("extraction_config");
    fields.object("distributed_config");
    return Form.SPEC;
  }

  private Totals totals(Form form, ObjectNode document) throws FormatException {
    ManifestFields top = new ManifestFields(path, "", document);
    if (form == Form.REAL) {
      Long unique = top.count("total_unique_samples");
      // Older writers count every array as a sample.
      Long activations = top.count(unique == null ? "total_samples" : "total_activations");
      return new Totals(top.count("total_shards"), unique, activations, null, null, null);
    }
    ObjectNode statistics = top.object("statistics");
    if (statistics == null) {
      return new Totals(null, null, null, null, null, null);
    }
    ManifestFields fields = new ManifestFields(path, "statistics: ", statistics);
    return new Totals(
        fields.count("total_shards"),
        fields.count("total_samples"),
        null,
        fields.count("total_size_bytes"),
        fields.layers("layers_extracted"),
        fields.number("extraction_duration_seconds"));
  }

  private List<ManifestEntry> entries(BoundedJson json) throws IOException {
    check(json.currentToken() == JsonToken.START_ARRAY, "shards is not a list");
    long outside = json.tokensLeft();
    List<ManifestEntry> entries = new ArrayList<>();
    Set<String> names = new HashSet<>();
    json.allow(MAX_VALUES);
    while (json.nextToken() != JsonToken.END_ARRAY) {
      PickleError.LIMIT_EXCEEDED.check(
          entries.size() < MAX_ENTRIES, path, "lists more than %d shards", MAX_ENTRIES);
      String where = "shard " + entries.size() + " of the list: ";
      check(json.currentToken() == JsonToken.START_OBJECT, "%sis not an object", where);
      ManifestEntry entry = entry(new ManifestFields(path, where, Jackson.MAPPER.readTree(json)));
      check(names.add(entry.filename()), "lists %s twice", entry.filename());
      entries.add(entry);
      json.allow(MAX_VALUES);
    }
    json.allow(outside);
    return List.copyOf(entries);
  }

  private ManifestEntry entry(ManifestFields fields) throws FormatException {
    String filename = fields.text("filename");
    if (filename == null) {
      throw PickleError.BAD_METADATA.in(path, "%sfilename is missing", fields.where());
    }
    PickleError.UNSAFE_PATH.check(
        isPlain(filename),
        path,
        "%sfilename is %s (expected the name of a file in this directory)",
        fields.where(),
        ManifestFields.show(fields.values().get("filename")));
    String checksum = fields.text("checksum");
    fields.check(
        checksum == null || SHA256.matcher(checksum).matches(),
        "checksum",
        "\"sha256:\" and 64 hexadecimal digits");
    fields.count("shard_id");
    List<Integer> layers = fields.layers("layers");
    var counts = fields.countsOfLayers("samples_per_layer");
    return new ManifestEntry(
        filename,
        fields.count("size_bytes"),
        fields.count("num_samples"),
        fields.count("total_samples_in_shard"),
        shared(layers, layers == null ? 0 : layers.size()),
        shared(counts, counts == null ? 0 : counts.size()),
        fields.ids("sample_id_range"),
        fields.flag("compressed"),
        checksum == null ? null : checksum.substring("sha256:".length()).toLowerCase(Locale.ROOT),
        fields.number("file_size_mb"),
        fields.text("gcs_path"));
  }

  private static boolean isPlain(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_NAME
        && !name.equals(".")
        && !name.equals("..")
        && !UNSAFE.matcher(name).matches();
  }

  /** Returns the same object for equal values, because most shards have the same layers. */
  @SuppressWarnings("unchecked")
  private <T> @Nullable T shared(@Nullable T value, int size) throws FormatException {
    Object known = value == null ? null : same.putIfAbsent(value, value);
    if (known != null) {
      return (T) known;
    }
    layerValues += size;
    PickleError.LIMIT_EXCEEDED.check(
        layerValues <= MAX_LAYER_VALUES, path, "lists more than %d layers", MAX_LAYER_VALUES);
    return value;
  }

  @FormatMethod
  private void check(boolean holds, @FormatString String problem, Object... args)
      throws FormatException {
    PickleError.BAD_METADATA.check(holds, path, problem, args);
  }
}
