package org.saevhadoop.format.combined;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.json.Jackson;

/**
 * Facts about sources as a string of compressed JSON in Base64, for tasks that open only the
 * sources that they read. Most files of a dataset differ only in their numbers, so the string
 * compresses well. Provenance and facts for warnings are left out, because tasks do not need them.
 */
public final class FactsText {
  private FactsText() {}

  /**
   * Facts about a source.
   *
   * @param geometry the shape of activations; null if the columns are not layers
   * @param cls the number of [CLS] tokens; null if it is unknown
   */
  record Entry(
      String folder,
      Map<String, String> paths,
      TableShape table,
      @Nullable Geometry geometry,
      @Nullable Integer cls,
      List<Shard> shards,
      BlockOrder order,
      boolean contiguous,
      int patches,
      List<String> tokenArrays,
      int idBytes,
      boolean samples) {
    static Entry of(SourceFacts facts) {
      Activations activations = facts.activations();
      OptionalInt cls = activations == null ? OptionalInt.empty() : activations.clsTokens();
      return new Entry(
          facts.folder(),
          facts.paths(),
          facts.table(),
          activations == null ? null : activations.geometry(),
          cls.isPresent() ? cls.getAsInt() : null,
          facts.shards().list(),
          facts.order(),
          facts.contiguous(),
          facts.patches(),
          facts.tokenArrays(),
          facts.idBytes(),
          facts.samples());
    }

    SourceFacts facts() {
      OptionalInt known = cls == null ? OptionalInt.empty() : OptionalInt.of(cls);
      return new SourceFacts(
          folder,
          paths,
          table,
          geometry == null ? null : new Activations(geometry, known, Provenance.NONE),
          new Shards(shards),
          order,
          contiguous,
          patches,
          tokenArrays,
          idBytes,
          samples,
          false,
          List.of());
    }
  }

  /** Returns the text of the facts about sources. */
  public static String of(List<SourceFacts> facts) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(text)) {
      Jackson.SETTINGS.writeValue(out, facts.stream().map(Entry::of).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(text.toByteArray());
  }

  /** Parses the text that {@link #of} returned. */
  public static List<SourceFacts> parse(String text) {
    byte[] compressed = Base64.getDecoder().decode(text);
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      List<Entry> entries = Jackson.SETTINGS.readValue(in, new TypeReference<List<Entry>>() {});
      return entries.stream().map(Entry::facts).toList();
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
